/// Values by key, ordered by use, each with a cost; all operations take constant time.
///
/// Pure.
///
/// A doubly linked list whose links are array indices: no object per entry, nothing to leak.
struct LeastRecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Node {
        let key: Key
        var value: Value
        var cost: Int
        var older: Int?
        var newer: Int?
    }

    private var places: [Key: Int] = [:]
    private var nodes: [Node?] = []
    private var freePlaces: [Int] = []
    private var oldest: Int?
    private var newest: Int?
    /// The sum of all costs.
    private(set) var totalCost = 0

    var count: Int { places.count }

    /// The keys, the one that was not used for longest first.
    var keys: [Key] {
        var result: [Key] = []
        var next = oldest
        while let place = next, let node = nodes[place] {
            result.append(node.key)
            next = node.newer
        }
        return result
    }

    /// The value without counting as a use.
    func peek(_ key: Key) -> Value? {
        places[key].flatMap { nodes[$0]?.value }
    }

    /// The value, which becomes the most recently used.
    mutating func use(_ key: Key) -> Value? {
        guard let place = places[key], let node = nodes[place] else { return nil }
        if place != newest {
            unlink(node)
            append(node, at: place)
        }
        return node.value
    }

    /// Adds or replaces a value as the most recently used; returns the one it replaced.
    @discardableResult
    mutating func insert(_ value: Value, for key: Key, cost: Int) -> Value? {
        let replaced = remove(key)
        let place = freePlaces.popLast() ?? nodes.endIndex
        if place == nodes.endIndex { nodes.append(nil) }
        places[key] = place
        totalCost += cost
        append(Node(key: key, value: value, cost: cost), at: place)
        return replaced
    }

    /// Takes a value out.
    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        guard let place = places.removeValue(forKey: key), let node = nodes[place] else {
            return nil
        }
        unlink(node)
        nodes[place] = nil
        freePlaces.append(place)
        totalCost -= node.cost
        return node.value
    }

    /// Takes out the value that was not used for longest.
    mutating func removeOldest() -> (key: Key, value: Value)? {
        guard let place = oldest, let key = nodes[place]?.key, let value = remove(key) else {
            return nil
        }
        return (key, value)
    }

    private mutating func append(_ node: Node, at place: Int) {
        var node = node
        node.older = newest
        node.newer = nil
        nodes[place] = node
        if let newest { nodes[newest]?.newer = place } else { oldest = place }
        newest = place
    }

    private mutating func unlink(_ node: Node) {
        if let older = node.older { nodes[older]?.newer = node.newer } else { oldest = node.newer }
        if let newer = node.newer { nodes[newer]?.older = node.older } else { newest = node.older }
    }
}
