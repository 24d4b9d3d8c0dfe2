internal import OrderedCollections

/// Who waits for one transfer, in the order of joining, and how urgently.
struct ListenerSet {
    private var priorities: OrderedDictionary<ListenerID, LoadPriority> = [:]

    var ids: some Collection<ListenerID> { priorities.keys }
    var isEmpty: Bool { priorities.isEmpty }

    /// The transfer's priority: the highest of those who still wait (row F24).
    var priority: LoadPriority { priorities.values.max() ?? .low }

    mutating func set(_ priority: LoadPriority, of id: ListenerID) {
        priorities[id] = priority
    }

    mutating func remove(_ id: ListenerID) {
        priorities.removeValue(forKey: id)
    }
}
