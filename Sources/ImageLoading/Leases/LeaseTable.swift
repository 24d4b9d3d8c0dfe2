/// Who in this process shares or waits for which lock: the pure part of `KeyLeases`.
///
/// A slot is there as long as anybody has a share in it. Its lock becomes `held` only by `noteTry`,
/// on the thread that asks the file; so that thread sees no holder come up between looking and
/// unlocking.
///
///     enter --> asked --> held ---------+--> last share leaves --> freed
///                 ^  \                  |
///                 |   --> without ------+
///             elsewhere -/     no locks, or waited for too long
struct LeaseTable: Sendable {
    /// Names one share; never used again.
    typealias Ticket = UInt64

    private enum Lock: Hashable {
        /// The file is being asked.
        case asked
        /// Another process has it.
        case elsewhere
        case held
        /// There is none to be had: everybody goes on without.
        case without
    }

    private struct Slot {
        /// Tells this slot from a later one of the same lock.
        let firstTicket: Ticket
        var lock = Lock.asked
        var shares: Set<Ticket> = []
        /// Those of them that wait, in the order of coming.
        var waiters: [Ticket] = []
        var wasContended = false
        /// Whether the wait for the other process has been given its limit.
        var isLimited = false
    }

    /// What a wait came to.
    struct Answer: Hashable, Sendable {
        let ticket: Ticket
        /// False: go on without.
        let isHeld: Bool
        /// Whether another process had the lock while somebody here waited.
        var wasContended = false
    }

    /// What entering came to.
    enum Entry: Hashable, Sendable {
        /// Ask the file, which ends in `noteTry`.
        case asks
        /// Somebody else asks already.
        case waits
        /// The same, and another process is known to have the lock.
        case waitsForOthers
        case answered(Answer)
    }

    /// What leaving came to.
    struct Departure: Hashable, Sendable {
        /// The answer to a share that waited.
        var answer: Answer?
        /// The lock that nobody here holds any more, to be given back.
        var freedOffset: Int?
    }

    private var slots: [Int: Slot] = [:]
    private var offsets: [Ticket: Int] = [:]
    private var lastTicket: Ticket = 0

    /// Whether nobody has a share, held or waited for.
    var isEmpty: Bool { slots.isEmpty }

    /// The locks that other processes hold and somebody waits for.
    var offsetsToAskAgain: [Int] { slots.filter { $0.value.lock == .elsewhere }.map(\.key) }

    /// Those who wait for a lock, the first to come first.
    func waiters(for offset: Int) -> [Ticket] { slots[offset]?.waiters ?? [] }

    /// Whether somebody waits for the file's word on a lock.
    func needsTry(_ offset: Int) -> Bool {
        slots[offset].map { $0.lock == .asked || $0.lock == .elsewhere } ?? false
    }

    func isHeld(_ offset: Int) -> Bool { slots[offset]?.lock == .held }

    mutating func makeTicket() -> Ticket {
        lastTicket += 1
        return lastTicket
    }

    /// Takes a share in a lock, or begins to wait for one.
    mutating func enter(_ ticket: Ticket, for offset: Int) -> Entry {
        let isFirst = slots[offset] == nil
        var slot = slots[offset] ?? Slot(firstTicket: ticket)
        slot.shares.insert(ticket)
        offsets[ticket] = offset
        defer { slots[offset] = slot }
        switch slot.lock {
        case .held, .without: return .answered(Self.answer(ticket, of: slot))
        case .asked, .elsewhere: slot.waiters.append(ticket)
        }
        guard !isFirst else { return .asks }
        return slot.lock == .elsewhere ? .waitsForOthers : .waits
    }

    /// The file was asked; returns who is told what.
    ///
    /// If a lock was taken for nobody, because all left meanwhile, it must be given back: `isHeld`
    /// says so.
    mutating func noteTry(_ offset: Int, _ outcome: LockFile.Outcome) -> [Answer] {
        switch outcome {
        case .taken: return settle(offset, .held)
        case .impossible: return settle(offset, .without)
        case .heldElsewhere:
            slots[offset]?.lock = .elsewhere
            slots[offset]?.wasContended = true
            return []
        }
    }

    /// What to give to `stopWaiting` in a while; nil if a limit has been set to this wait before.
    mutating func limitWait(for offset: Int) -> Ticket? {
        guard let slot = slots[offset], slot.lock == .elsewhere, !slot.isLimited else { return nil }
        slots[offset]?.isLimited = true
        return slot.firstTicket
    }

    /// Another process has been waited for too long; of no effect on a slot that isn't the one
    /// whose first share is named, nor on one that has its lock.
    mutating func stopWaiting(for offset: Int, since firstTicket: Ticket) -> [Answer] {
        guard let slot = slots[offset], slot.firstTicket == firstTicket, slot.lock == .elsewhere
        else { return [] }
        return settle(offset, .without)
    }

    /// Gives a share up, held or waited for; more than once does nothing.
    mutating func leave(_ ticket: Ticket) -> Departure {
        guard let offset = offsets.removeValue(forKey: ticket), var slot = slots[offset] else {
            return Departure()
        }
        slot.shares.remove(ticket)
        var departure = Departure()
        if let index = slot.waiters.firstIndex(of: ticket) {
            slot.waiters.remove(at: index)
            departure.answer = Answer(ticket: ticket, isHeld: false)
        }
        if slot.shares.isEmpty, slot.lock == .held { departure.freedOffset = offset }
        slots[offset] = slot.shares.isEmpty ? nil : slot
        return departure
    }

    private mutating func settle(_ offset: Int, _ lock: Lock) -> [Answer] {
        guard var slot = slots[offset] else { return [] }
        slot.lock = lock
        let waiters = slot.waiters
        slot.waiters = []
        slots[offset] = slot
        return waiters.map { Self.answer($0, of: slot) }
    }

    private static func answer(_ ticket: Ticket, of slot: Slot) -> Answer {
        let isHeld = slot.lock == .held
        return Answer(ticket: ticket, isHeld: isHeld, wasContended: isHeld && slot.wasContended)
    }
}
