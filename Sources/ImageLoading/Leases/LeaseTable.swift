/// The part of `KeyLeases` that has no side effects: the shares and waiters of this process for
/// each lock.
///
/// A slot exists while a load has a share in it. Its lock becomes `held` only in `noteTry`, on the
/// thread that requests the lock from the file. Therefore no new holder can appear on that thread
/// between the check and the unlock.
///
///     enter --> asked --> held ---------+--> last share leaves --> freed
///                 ^  \                  |
///                 |   --> without ------+
///             elsewhere -/     no locks, or waited for too long
struct LeaseTable: Sendable {
    /// A number that identifies a share and is never reused.
    typealias Ticket = UInt64

    private enum Lock: Hashable {
        /// The lock is being requested.
        case asked
        /// Another process holds the lock.
        case elsewhere
        case held
        /// The lease is unavailable; all loads continue without it.
        case without
    }

    private struct Slot {
        /// The ticket that distinguishes this slot from later slots for the same lock.
        let firstTicket: Ticket
        var lock = Lock.asked
        var shares: Set<Ticket> = []
        /// The shares that wait, in the order of arrival.
        var waiters: [Ticket] = []
        var wasContended = false
        /// Whether the wait for the other process already has a time limit.
        var isLimited = false
    }

    /// The result of waiting for a lease.
    struct Answer: Hashable, Sendable {
        let ticket: Ticket
        /// Whether the lease is held; if not, the load must continue without it.
        let isHeld: Bool
        /// Whether another process held the lock while a load of this process waited.
        var wasContended = false
    }

    /// The result of `enter`.
    enum Entry: Hashable, Sendable {
        /// The caller must request the lock and report the outcome to `noteTry`.
        case asks
        /// The lock is already being requested.
        case waits
        /// The lock is already being requested, and another process is known to hold it.
        case waitsForOthers
        case answered(Answer)
    }

    /// The result of `leave`.
    struct Departure: Hashable, Sendable {
        /// The answer to the share, if the share was waiting.
        var answer: Answer?
        /// The lock that must be released, because no load of this process holds it any longer.
        var freedOffset: Int?
    }

    private var slots: [Int: Slot] = [:]
    private var offsets: [Ticket: Int] = [:]
    private var lastTicket: Ticket = 0

    /// Whether there are no shares, held or waiting.
    var isEmpty: Bool { slots.isEmpty }

    /// The locks that other processes hold and for which loads of this process wait.
    var offsetsToAskAgain: [Int] { slots.filter { $0.value.lock == .elsewhere }.map(\.key) }

    /// Returns the shares that wait for a lock, in the order of arrival.
    func waiters(for offset: Int) -> [Ticket] { slots[offset]?.waiters ?? [] }

    /// Returns whether a load waits for the outcome of a lock request.
    func needsTry(_ offset: Int) -> Bool {
        slots[offset].map { $0.lock == .asked || $0.lock == .elsewhere } ?? false
    }

    func isHeld(_ offset: Int) -> Bool { slots[offset]?.lock == .held }

    mutating func makeTicket() -> Ticket {
        lastTicket += 1
        return lastTicket
    }

    /// Adds a share in a lock; the share waits unless the lock is held or unavailable.
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

    /// Records the outcome of a lock request and returns the answers to waiting shares.
    ///
    /// If the lock was taken after all shares had left, `isHeld` is false and the lock must be
    /// released.
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

    /// Marks the wait for another process as limited, and returns the ticket to pass to
    /// `stopWaiting` when the time is over; nil if the wait already has a time limit or no other
    /// process holds the lock.
    mutating func limitWait(for offset: Int) -> Ticket? {
        guard let slot = slots[offset], slot.lock == .elsewhere, !slot.isLimited else { return nil }
        slots[offset]?.isLimited = true
        return slot.firstTicket
    }

    /// Ends a wait for another process that has lasted too long.
    ///
    /// Does nothing if the lock was obtained in the meantime, or if `firstTicket` is not the first
    /// share of the slot.
    mutating func stopWaiting(for offset: Int, since firstTicket: Ticket) -> [Answer] {
        guard let slot = slots[offset], slot.firstTicket == firstTicket, slot.lock == .elsewhere
        else { return [] }
        return settle(offset, .without)
    }

    /// Gives up a share, held or waiting; further calls do nothing.
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
