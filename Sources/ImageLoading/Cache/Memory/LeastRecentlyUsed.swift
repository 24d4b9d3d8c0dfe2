/// A dictionary that orders its values by last use and tracks their total cost.
///
/// All operations take constant time, except reading `keys`. This type performs no I/O.
///
/// The entries form a doubly linked list. Its links are array indices, so an entry needs no object
/// of its own and cannot leak.
struct LeastRecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        let key: Key
        let value: Value
        let cost: Int
    }

    /// The neighbors of an entry in the list.
    ///
    /// The links are stored separately from the entries, so using an entry changes only a few
    /// integers and no reference counts.
    private struct Links {
        var older: Int?
        var newer: Int?
    }

    private var places: [Key: Int] = [:]
    private var entries: [Entry?] = []
    private var links: [Links] = []
    private var freePlaces: [Int] = []
    private var oldest: Int?
    private var newest: Int?
    private(set) var totalCost = 0

    var count: Int { places.count }

    /// The keys, from the least to the most recently used.
    var keys: [Key] {
        var result: [Key] = []
        var next = oldest
        while let place = next {
            if let key = entries[place]?.key { result.append(key) }
            next = links[place].newer
        }
        return result
    }

    /// Returns the value for a key without marking it as most recently used.
    func peek(_ key: Key) -> Value? {
        places[key].flatMap { entries[$0]?.value }
    }

    /// Returns the value for a key and marks it as most recently used.
    mutating func use(_ key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        if place != newest {
            unlink(place)
            linkAsNewest(place)
        }
        return entries[place]?.value
    }

    /// Adds a value as the most recently used one.
    ///
    /// Returns the previous value of the key, if any.
    @discardableResult
    mutating func insert(_ value: Value, for key: Key, cost: Int) -> Value? {
        let replaced = remove(key)
        let place = freePlaces.popLast() ?? addPlace()
        entries[place] = Entry(key: key, value: value, cost: cost)
        places[key] = place
        totalCost += cost
        linkAsNewest(place)
        return replaced
    }

    /// Removes the value for a key and returns it.
    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        guard let place = places.removeValue(forKey: key), let entry = entries[place] else {
            return nil
        }
        unlink(place)
        entries[place] = nil
        freePlaces.append(place)
        totalCost -= entry.cost
        return entry.value
    }

    /// Removes the least recently used value and returns it with its key.
    mutating func removeOldest() -> (key: Key, value: Value)? {
        guard let place = oldest, let key = entries[place]?.key, let value = remove(key) else {
            return nil
        }
        return (key, value)
    }

    private mutating func addPlace() -> Int {
        entries.append(nil)
        links.append(Links())
        return entries.count - 1
    }

    private mutating func linkAsNewest(_ place: Int) {
        links[place] = Links(older: newest, newer: nil)
        if let newest { links[newest].newer = place } else { oldest = place }
        newest = place
    }

    private mutating func unlink(_ place: Int) {
        let (older, newer) = (links[place].older, links[place].newer)
        if let older { links[older].newer = newer } else { oldest = newer }
        if let newer { links[newer].older = older } else { newest = older }
    }
}
