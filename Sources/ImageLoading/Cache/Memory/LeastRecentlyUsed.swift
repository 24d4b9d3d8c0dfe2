/// Values by key, ordered by use, each with a cost; all operations take constant time.
///
/// Pure.
///
/// A doubly linked list whose links are array indices: no object per entry, nothing to leak.
struct LeastRecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        let key: Key
        let value: Value
        let cost: Int
    }

    /// Apart from the entries, so that a use moves a few integers and no reference is counted.
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
    /// The sum of all costs.
    private(set) var totalCost = 0

    var count: Int { places.count }

    /// The keys, the one that was not used for longest first.
    var keys: [Key] {
        var result: [Key] = []
        var next = oldest
        while let place = next {
            if let key = entries[place]?.key { result.append(key) }
            next = links[place].newer
        }
        return result
    }

    /// The value without counting as a use.
    func peek(_ key: Key) -> Value? {
        places[key].flatMap { entries[$0]?.value }
    }

    /// The value, which becomes the most recently used.
    mutating func use(_ key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        if place != newest {
            unlink(place)
            linkAsNewest(place)
        }
        return entries[place]?.value
    }

    /// Adds or replaces a value as the most recently used; returns the one it replaced.
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

    /// Takes a value out.
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

    /// Takes out the value that was not used for longest.
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
