/// The part of `KeyLeases` without side effects: the loads that hold or wait for each lock.
///
/// The loads of this process share each lock. A load has a share of a lock while it waits for the
/// lock, holds it, or continues without it. A slot records the state of one lock and exists as long
/// as a load has a share of the lock. A lock becomes `held` only in `noteTry`, on the thread that
/// requests the locks. Before that thread releases a lock, it checks that no load holds it. No load
/// can take the lock between the check and the release, because both run on the same thread.
///
///     enter --> asked --> held ---------+--> last share leaves --> freed
///                 ^  \                  |
///                 |   --> without ------+
///             elsewhere -/     no locks, or waited for too long
struct LeaseTable: Sendable {
    /// A number that identifies one load's share of a lock and is never reused.
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
        /// The first ticket of this slot; it distinguishes the slot from later slots for the same
        /// lock.
        let firstTicket: Ticket
        var lock = Lock.asked
        var shares: Set<Ticket> = []
        /// The waiting shares, in order of arrival.
        var waiters: [Ticket] = []
        var wasContended = false
        /// Whether the time to wait for the other process is already limited.
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
        /// The caller must request the lock and pass the outcome to `noteTry`.
        case asks
        /// The lock is already being requested.
        case waits
        /// The lock is already being requested, and another process holds it.
        case waitsForOthers
        case answered(Answer)
    }

    /// The result of `leave`.
    struct Departure: Hashable, Sendable {
        /// The answer for the released share; nil if the share was not waiting.
        var answer: Answer?
        /// The lock that must be released, because no load in this process holds it any longer.
        var freedOffset: Int?
    }

    private var slots: [Int: Slot] = [:]
    private var offsets: [Ticket: Int] = [:]
    private var lastTicket: Ticket = 0

    /// Whether no load has a share of any lock.
    var isEmpty: Bool { slots.isEmpty }

    /// The offsets of the locks that other processes hold and that loads of this process wait for.
    var offsetsToAskAgain: [Int] { slots.filter { $0.value.lock == .elsewhere }.map(\.key) }

    /// Returns the shares waiting for a lock, in order of arrival.
    func waiters(for offset: Int) -> [Ticket] { slots[offset]?.waiters ?? [] }

    /// Returns whether the lock must be requested because a load is waiting for it.
    func needsTry(_ offset: Int) -> Bool {
        slots[offset].map { $0.lock == .asked || $0.lock == .elsewhere } ?? false
    }

    func isHeld(_ offset: Int) -> Bool { slots[offset]?.lock == .held }

    mutating func makeTicket() -> Ticket {
        lastTicket += 1
        return lastTicket
    }

    /// Adds a share of a lock; the share waits while the lock is being requested.
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

    /// Records the outcome of a lock request and returns the answers for the waiting shares.
    ///
    /// If all shares were released before the lock was taken, `isHeld` returns false for `offset`,
    /// and the caller must release the lock.
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

    /// Starts a time limit for the wait and returns the ticket to pass to `stopWaiting` later.
    ///
    /// Returns nil if the wait already has a time limit, or if no other process holds the lock.
    mutating func limitWait(for offset: Int) -> Ticket? {
        guard let slot = slots[offset], slot.lock == .elsewhere, !slot.isLimited else { return nil }
        slots[offset]?.isLimited = true
        return slot.firstTicket
    }

    /// Ends the wait for another process when the time limit is reached.
    ///
    /// Does nothing if the lock was obtained in the meantime, or if `firstTicket` belongs to an
    /// earlier slot for the same lock.
    mutating func stopWaiting(for offset: Int, since firstTicket: Ticket) -> [Answer] {
        guard let slot = slots[offset], slot.firstTicket == firstTicket, slot.lock == .elsewhere
        else { return [] }
        return settle(offset, .without)
    }

    /// Releases a share, whether it is held or waiting; later calls have no effect.
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
