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
