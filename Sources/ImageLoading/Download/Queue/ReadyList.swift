internal import HeapModule

/// The transfers waiting for a slot (permission to run), ordered by priority, then by age.
///
/// The list is a heap of tickets; a ticket is the position of one transfer. If a transfer is
/// removed or its priority changes, its old ticket stays in the heap and is dropped when it reaches
/// the top. Every operation therefore takes O(log n), and no search is needed.
///
/// If a host has no free slot or must not be contacted, its tickets are moved to a separate heap.
/// When a slot is freed, one of them is moved back. Otherwise, every search for the next transfer
/// would have to skip them.
///
/// A position can be reserved before its transfer arrives. Until the transfer arrives or the
/// position is released, no transfer behind the position is returned.
struct ReadyList {
    private var current: [TransferID: Ticket] = [:]
    private var heap = Heap<Ticket>()
    private var parked: [String: Heap<Ticket>] = [:]
    /// The number of tickets in `heap` and `parked`, including outdated tickets.
    private(set) var storedTicketCount = 0
    private var nextNumber = 0
    /// The priorities of the requests with reserved positions, keyed by rank (see `Ticket`).
    private var reserved: [Int: LoadPriority] = [:]
    private let order: DownloaderConfiguration.Order

    init(order: DownloaderConfiguration.Order) {
        self.order = order
    }

    var count: Int { current.count }

    func contains(_ id: TransferID) -> Bool { current[id] != nil }

    /// Adds a transfer.
    ///
    /// The sequence number determines the age of the transfer among transfers of equal priority.
    /// Without a sequence number, the transfer counts as the newest.
    mutating func insert(
        _ id: TransferID,
        host: String,
        priority: LoadPriority,
        sequenceNumber: UInt64? = nil
    ) {
        let number = sequenceNumber.map { Int(clamping: $0) } ?? nextNumber &+ 1
        nextNumber = max(nextNumber, number)
        push(Ticket(id: id, host: host, priority: priority, rank: rank(of: number)))
    }

    mutating func remove(_ id: TransferID) {
        current[id] = nil
        dropOutdatedIfMost()
    }

    /// Changes the priority of a waiting transfer but not its age.
    mutating func setPriority(_ priority: LoadPriority, of id: TransferID) {
        guard let old = current[id], old.priority != priority else { return }
        push(Ticket(id: id, host: old.host, priority: priority, rank: old.rank))
    }

    /// Makes a waiting transfer the newest, because a caller requested it again.
    ///
    /// Has no effect with `firstInFirstOut`.
    mutating func renew(_ id: TransferID) {
        guard order == .lastInFirstOut, let old = current[id] else { return }
        push(Ticket(id: id, host: old.host, priority: old.priority, rank: newRank()))
    }

    /// Reserves the position of a request; transfers behind it wait until the position is released.
    mutating func reserve(_ number: UInt64, priority: LoadPriority) {
        reserved[rank(of: Int(clamping: number))] = priority
    }

    /// Releases a reserved position, because the request has arrived or will not arrive.
    mutating func release(_ number: UInt64) {
        reserved[rank(of: Int(clamping: number))] = nil
    }

    /// Removes and returns the first transfer whose host may start another transfer.
    ///
    /// Returns nil if there is no such transfer, or if a reserved position precedes it.
    mutating func popFirst(ifOpen hostIsOpen: (String) -> Bool) -> TransferID? {
        while let ticket = heap.popMax() {
            storedTicketCount -= 1
            guard current[ticket.id] == ticket else {
                // `hostFreedSlot` may have moved this outdated ticket back to the heap. In that
                // case, the slot is still free for the next transfer of the host.
                hostFreedSlot(ticket.host)
                continue
            }
            if hostIsOpen(ticket.host) {
                guard !isHeldBack(ticket) else {
                    heap.insert(ticket)
                    storedTicketCount += 1
                    return nil
                }
                current[ticket.id] = nil
                return ticket.id
            }
            parked[ticket.host, default: []].insert(ticket)
            storedTicketCount += 1
        }
        return nil
    }

    /// Moves the first ticket of a host from the host's own heap back to the main heap.
    mutating func hostFreedSlot(_ host: String) {
        guard var tickets = parked.removeValue(forKey: host) else { return }
        if let ticket = tickets.popMax() { heap.insert(ticket) }
        if !tickets.isEmpty { parked[host] = tickets }
    }

    /// Moves all tickets of a host from the host's own heap back to the main heap.
    mutating func hostOpened(_ host: String) {
        guard let tickets = parked.removeValue(forKey: host) else { return }
        heap.insert(contentsOf: tickets.unordered)
    }

    /// Returns whether a reserved position precedes the ticket.
    ///
    /// All reserved positions are checked. There are few of them, because only requests that are
    /// made together reserve positions.
    private func isHeldBack(_ ticket: Ticket) -> Bool {
        reserved.contains { rank, priority in
            (priority, rank) > (ticket.priority, ticket.rank)
        }
    }

    private mutating func push(_ ticket: Ticket) {
        current[ticket.id] = ticket
        heap.insert(ticket)
        storedTicketCount += 1
        dropOutdatedIfMost()
    }

    private mutating func newRank() -> Int {
        nextNumber &+= 1
        return rank(of: nextNumber)
    }

    private func rank(of number: Int) -> Int {
        order == .lastInFirstOut ? number : 0 &- number
    }

    /// Drops outdated tickets if most tickets are outdated.
    ///
    /// Memory use therefore stays proportional to the number of waiting transfers, even if no
    /// transfer can start. For example, scrolling past thousands of images while all slots are
    /// taken creates thousands of outdated tickets.
    private mutating func dropOutdatedIfMost() {
        guard storedTicketCount > 2 * current.count + 64 else { return }
        heap = Heap(current.values)
        parked = [:]
        storedTicketCount = heap.count
    }
}

/// The position of a transfer in the list; the transfer with the highest ticket starts first.
///
/// Tickets are compared by priority, and tickets of equal priority by rank.
private struct Ticket: Comparable {
    let id: TransferID
    let host: String
    let priority: LoadPriority
    let rank: Int

    static func < (left: Ticket, right: Ticket) -> Bool {
        (left.priority, left.rank) < (right.priority, right.rank)
    }

    static func == (left: Ticket, right: Ticket) -> Bool {
        left.id == right.id && left.priority == right.priority && left.rank == right.rank
    }
}

/// The downloads that are pausing before their next attempt.
struct RestingList: Sendable {
    private var ends: [TransferID: Duration] = [:]
    /// The downloads, ordered by the end of their pauses.
    ///
    /// The agenda may contain downloads that have left the list. They are dropped when their pause
    /// ends, a few seconds later.
    private var agenda = Agenda<TransferID>()

    var count: Int { ends.count }

    /// The time at which `takeDue` must be called next, or nil if the list is empty.
    var next: Duration? { ends.isEmpty ? nil : agenda.next }

    mutating func insert(_ id: TransferID, until end: Duration) {
        ends[id] = end
        agenda.add(id, at: end)
    }

    mutating func remove(_ id: TransferID) {
        ends[id] = nil
    }

    /// Removes and returns the downloads whose pause is over, in the order the pauses ended.
    mutating func takeDue(at now: Duration) -> [TransferID] {
        agenda.takeDue(at: now).filter { ends.removeValue(forKey: $0) != nil }
    }
}

/// The number of running transfers with a slot, in total and per host.
///
/// The number per host has two limits: the configured limit and an observed limit.
struct HostSlots: Sendable {
    /// The maximum number of hosts whose responses and limits are recorded.
    ///
    /// Typical feeds have fewer hosts. When the limit is reached, all records are dropped.
    private static let capacity = 1_000

    private let limit: Int?
    /// The number of running transfers with a slot, on all hosts.
    private(set) var takenCount = 0
    private var running: [String: Int] = [:]
    private var found: [String: TransferLimit] = [:]

    init(limit: Int?) {
        self.limit = limit.map { max(1, $0) }
    }

    func isOpen(_ host: String) -> Bool {
        let count = running[host, default: 0]
        return count < limit ?? .max && count < found[host]?.limit ?? .max
    }

    /// Returns the number of running transfers with a slot on a host.
    func takenCount(of host: String) -> Int { running[host, default: 0] }

    mutating func take(_ host: String) {
        takenCount += 1
        running[host, default: 0] += 1
    }

    mutating func free(_ host: String) {
        guard let count = running[host] else { return }
        takenCount -= 1
        running[host] = count > 1 ? count - 1 : nil
    }

    /// Records that a host refused a transfer, and returns its new limit if the limit was reduced.
    ///
    /// For the parameters, see `TransferLimit.refused`.
    mutating func refused(_ number: Int, by host: String, lastStarted: Int) -> TransferLimit? {
        makeSpace(for: host)
        let running = takenCount(of: host)
        let hasFallen = found[host, default: TransferLimit()]
            .refused(number, running: running, lastStarted: lastStarted)
        return hasFallen ? found[host] : nil
    }

    /// Records a response from a host.
    ///
    /// `width` is the maximum number of simultaneous transfers to all hosts.
    mutating func answered(_ host: String, width: Int) {
        makeSpace(for: host)
        found[host, default: TransferLimit()].answered(most: min(width, limit ?? .max))
    }

    private mutating func makeSpace(for host: String) {
        if found[host] == nil, found.count >= Self.capacity { found = [:] }
    }

    /// Returns the number of responses recorded for a host.
    func answerCount(of host: String) -> Int { found[host]?.answerCount ?? 0 }
}
