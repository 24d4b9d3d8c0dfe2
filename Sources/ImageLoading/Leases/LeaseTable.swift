/// Who holds and who waits for which lock in this process.
///
/// Pure.
///
/// The file's locks tell processes apart, not the tasks of one, so these queue here: of several
/// that want a lock the first one asks the file, and hands over to the next when done. A slot gets
/// a holder only by `noteTry`, on the thread that asks the file, or by a holder's handing over; so
/// that thread sees no holder come up between looking and unlocking.
struct LeaseTable: Sendable {
    typealias Ticket = UInt64

    private struct Slot {
        var holder: Ticket?
        var waiters: [Ticket] = []
        /// Whether the file said that another process holds it.
        var isHeldElsewhere = false
    }

    /// What a wait came to.
    struct Answer: Hashable, Sendable {
        let ticket: Ticket
        /// Nil if there are no locks to be had: go on without.
        var contention: Bool?
    }

    private var slots: [Int: Slot] = [:]
    private var offsets: [Ticket: Int] = [:]
    private var contended: Set<Ticket> = []
    private var lastTicket: Ticket = 0

    /// The locks that other processes hold and somebody waits for.
    var offsetsToAskAgain: [Int] {
        slots.filter { $0.value.isHeldElsewhere && !$0.value.waiters.isEmpty }.map(\.key)
    }

    /// Those who wait for a lock, the next one first.
    func waiters(for offset: Int) -> [Ticket] { slots[offset]?.waiters ?? [] }

    /// Whether nothing is held and nobody waits.
    var isEmpty: Bool { slots.isEmpty }

    mutating func makeTicket() -> Ticket {
        lastTicket += 1
        return lastTicket
    }

    /// Begins to wait; whether the file must be asked, which then ends in `noteTry`.
    mutating func enter(_ ticket: Ticket, for offset: Int) -> Bool {
        var slot = slots[offset] ?? Slot()
        let isFirst = slot.holder == nil && slot.waiters.isEmpty
        if !isFirst { contended.insert(ticket) }
        slot.waiters.append(ticket)
        slots[offset] = slot
        offsets[ticket] = offset
        return isFirst
    }

    /// Whether somebody waits for a lock that nobody here holds.
    func needsTry(_ offset: Int) -> Bool {
        slots[offset].map { $0.holder == nil && !$0.waiters.isEmpty } ?? false
    }

    /// Whether nobody here holds the lock, so that it may be given back.
    func isFree(_ offset: Int) -> Bool { slots[offset]?.holder == nil }

    /// The file was asked; returns who is told what.
    ///
    /// If a lock was taken for nobody, because all left meanwhile, it must be given back: `isFree`
    /// says so.
    mutating func noteTry(_ offset: Int, _ outcome: LockFile.Outcome) -> [Answer] {
        guard var slot = slots[offset] else { return [] }
        switch outcome {
        case .taken:
            slot.isHeldElsewhere = false
            slots[offset] = slot
            return handOver(offset).map { [$0] } ?? []
        case .heldElsewhere:
            slot.isHeldElsewhere = true
            contended.formUnion(slot.waiters)
            slots[offset] = slot
            return []
        case .impossible:
            slots[offset] = nil
            for ticket in slot.waiters { forget(ticket) }
            return slot.waiters.map { Answer(ticket: $0, contention: nil) }
        }
    }

    /// Ends a wait; nil if it was over.
    mutating func giveUp(_ ticket: Ticket) -> Answer? {
        guard let offset = offsets[ticket], var slot = slots[offset], slot.holder != ticket else {
            return nil
        }
        forget(ticket)
        slot.waiters.removeAll { $0 == ticket }
        slots[offset] = slot.holder == nil && slot.waiters.isEmpty ? nil : slot
        return Answer(ticket: ticket, contention: nil)
    }

    enum Release: Hashable, Sendable {
        /// It was released before.
        case unknown
        /// The next one holds the lock from now on.
        case handedOver(Answer)
        /// Nobody waits: give it back.
        case freed(offset: Int)
    }

    /// Ends a holding.
    mutating func release(_ ticket: Ticket) -> Release {
        guard let offset = offsets[ticket], slots[offset]?.holder == ticket else { return .unknown }
        forget(ticket)
        slots[offset]?.holder = nil
        return handOver(offset).map(Release.handedOver) ?? .freed(offset: offset)
    }

    private mutating func handOver(_ offset: Int) -> Answer? {
        guard var slot = slots[offset], !slot.waiters.isEmpty else {
            slots[offset] = nil
            return nil
        }
        let next = slot.waiters.removeFirst()
        slot.holder = next
        slots[offset] = slot
        return Answer(ticket: next, contention: contended.remove(next) != nil)
    }

    private mutating func forget(_ ticket: Ticket) {
        offsets[ticket] = nil
        contended.remove(ticket)
    }
}
