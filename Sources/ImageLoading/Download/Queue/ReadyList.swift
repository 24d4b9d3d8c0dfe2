internal import HeapModule

/// The transfers that wait for a slot, most urgent first; equal ones oldest or newest first.
///
/// A heap of tickets. Leaving and changing priority only outdate a ticket, which is thrown away
/// when it comes to the top, so every operation costs O(log n) and nothing is ever searched.
/// Tickets of a host that has no slot free, or is not asked, are parked with that host, and come
/// back one for each slot: otherwise each look for the next transfer would wade through them again.
///
/// A place can be reserved before its transfer comes: until then nothing that it would go before
/// is given out.
struct ReadyList {
    private var current: [TransferID: Ticket] = [:]
    private var heap = Heap<Ticket>()
    private var parked: [String: Heap<Ticket>] = [:]
    /// Tickets in `heap` and `parked`, outdated ones included.
    private(set) var storedTicketCount = 0
    private var nextNumber = 0
    /// By rank, the priorities of the requests that are on their way here.
    private var reserved: [Int: LoadPriority] = [:]
    private let order: DownloaderConfiguration.Order

    init(order: DownloaderConfiguration.Order) {
        self.order = order
    }

    var count: Int { current.count }

    func contains(_ id: TransferID) -> Bool { current[id] != nil }

    /// Adds a transfer; its age among its equals is its sequence number's, or that of this moment.
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

    /// Moves a waiting transfer to another priority; its age among its new equals stays.
    mutating func setPriority(_ priority: LoadPriority, of id: TransferID) {
        guard let old = current[id], old.priority != priority else { return }
        push(Ticket(id: id, host: old.host, priority: priority, rank: old.rank))
    }

    /// Notes that somebody asked for a waiting transfer again, which makes it the newest.
    mutating func renew(_ id: TransferID) {
        guard order == .lastInFirstOut, let old = current[id] else { return }
        push(Ticket(id: id, host: old.host, priority: old.priority, rank: newRank()))
    }

    /// Holds back all that a request will go before, until it is released.
    mutating func reserve(_ number: UInt64, priority: LoadPriority) {
        reserved[rank(of: Int(clamping: number))] = priority
    }

    /// Ends a reservation: the request has come, or won't.
    mutating func release(_ number: UInt64) {
        reserved[rank(of: Int(clamping: number))] = nil
    }

    /// Takes out the first transfer whose host has a slot free; nil also if a reserved one goes
    /// before it.
    mutating func popFirst(ifOpen hostIsOpen: (String) -> Bool) -> TransferID? {
        while let ticket = heap.popMax() {
            storedTicketCount -= 1
            guard current[ticket.id] == ticket else {
                // It may have been the one that `hostFreedSlot` brought back; the slot it came
                // for is then still free for the next of its host.
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

    /// Brings back the first parked transfer of a host.
    mutating func hostFreedSlot(_ host: String) {
        guard var tickets = parked.removeValue(forKey: host) else { return }
        if let ticket = tickets.popMax() { heap.insert(ticket) }
        if !tickets.isEmpty { parked[host] = tickets }
    }

    /// Brings back all parked transfers of a host.
    mutating func hostOpened(_ host: String) {
        guard let tickets = parked.removeValue(forKey: host) else { return }
        heap.insert(contentsOf: tickets.unordered)
    }

    /// Few are reserved at a time: as many as are requested in one turn.
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

    /// Keeps the memory proportional to what waits, also while nothing can start: scrolling past
    /// thousands of pictures with every slot busy outdates thousands of tickets.
    private mutating func dropOutdatedIfMost() {
        guard storedTicketCount > 2 * current.count + 64 else { return }
        heap = Heap(current.values)
        parked = [:]
        storedTicketCount = heap.count
    }
}

/// A place in the order; a higher one starts earlier.
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

/// The downloads that wait for the end of a pause before their next attempt.
struct RestingList: Sendable {
    private var ends: [TransferID: Duration] = [:]
    /// May name some that have left; they go when their time comes, a few seconds later.
    private var agenda = Agenda<TransferID>()

    var count: Int { ends.count }

    /// When to look again.
    var next: Duration? { ends.isEmpty ? nil : agenda.next }

    mutating func insert(_ id: TransferID, until end: Duration) {
        ends[id] = end
        agenda.add(id, at: end)
    }

    mutating func remove(_ id: TransferID) {
        ends[id] = nil
    }

    /// Takes out those whose pause is over, the longest over first.
    mutating func takeDue(at now: Duration) -> [TransferID] {
        agenda.takeDue(at: now).filter { ends.removeValue(forKey: $0) != nil }
    }
}

/// Counts the running transfers, all of them and each host's against its limits: the configured one,
/// and what the host was found to take.
struct HostSlots: Sendable {
    /// More hosts than a feed has; beyond it, what was found out is forgotten.
    private static let capacity = 1_000

    private let limit: Int?
    /// Slots taken on all hosts.
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

    /// Slots taken on one host.
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

    /// What a host takes from now on, if a refusal has changed that; see `TransferLimit`.
    mutating func refused(_ number: Int, by host: String, lastStarted: Int) -> TransferLimit? {
        let running = takenCount(of: host)
        let hasFallen = found[host, default: TransferLimit()]
            .refused(number, running: running, lastStarted: lastStarted)
        return hasFallen ? found[host] : nil
    }

    /// A host has answered; `width` is how many transfers there may be on all hosts.
    mutating func answered(_ host: String, width: Int) {
        if found[host] == nil, found.count >= Self.capacity { found = [:] }
        found[host, default: TransferLimit()].answered(most: min(width, limit ?? .max))
    }

    /// How often a host has answered, as far as that is remembered.
    func answerCount(of host: String) -> Int { found[host]?.answerCount ?? 0 }
}
