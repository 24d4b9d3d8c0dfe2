/// The scan at the start, the budget, `clear` and `clean`. All of it runs on the writer thread in
/// slices of a few milliseconds, so that stores get in between.
extension DiskCache {
    private static let scanSlice = 2_000
    private static let deleteSlice = 64

    // MARK: Scan

    func startScan() {
        writer.submit(priority: .low) {
            self.scan(self.directory.items()[...])
        }
    }

    private func scan(_ items: ArraySlice<CacheDirectory.Item>) {
        for item in items.prefix(Self.scanSlice) { inspect(item) }
        let rest = items.dropFirst(Self.scanSlice)
        guard rest.isEmpty else {
            return writer.submit(priority: .low) { self.scan(rest) }
        }
        state.withLock { $0.isScanned = true }
        evictIfNeeded()
    }

    // MARK: Budget

    /// Row F12: the budget holds at every write, not only when someone sweeps.
    func evictIfNeeded() {
        guard state.withLock({ $0.beginEviction() }) else { return }
        let inventory = state.withLock(\.inventory)
        evict(inventory.oldestFirst()[...], knownUses: inventory.lastUseNumber)
    }

    private func evict(_ victims: ArraySlice<EntryName>, knownUses: Int) {
        for name in victims.prefix(Self.deleteSlice) {
            guard !state.withLock(\.isEvictionDone) else { break }
            // Used or written again since the order was made.
            guard !state.withLock({ $0.inventory.wasUsed(name, after: knownUses) }) else {
                continue
            }
            if delete(.entry(name)).entryCount > 0 { state.withLock { $0.noteEvicted() } }
        }
        let rest = victims.dropFirst(Self.deleteSlice)
        guard !rest.isEmpty, !state.withLock(\.isEvictionDone) else {
            return state.withLock { $0.endEviction() }
        }
        writer.submit(priority: .low) { self.evict(rest, knownUses: knownUses) }
    }

    // MARK: Clear

    /// Deletes every file of the cache and returns how many and how large they were (row C20).
    ///
    /// Stores of loads that began before are dropped, also those still on their way (row F29);
    /// what is stored by later ones stays. The directory itself remains.
    @discardableResult
    public func clear() async -> CacheStatistics {
        state.withLock { $0.beginClearing() }
        let items = await writer.runToEnd(priority: .normal) { self.directory.items() }
        let freed = await sweep(items, priority: .normal) { item in
            self.state.withLock({ $0.survivesClearing(item) })
                ? CacheStatistics() : self.delete(item)
        }
        state.withLock { $0.endClearing() }
        return freed
    }

    // MARK: Clean

    /// Deletes what went unused for `maximumAge`; then, if the rest is still over the budget, the
    /// longest unused until less than half the budget is left (rows C21-C25).
    ///
    /// Returns what was deleted. Ends early if the task is cancelled.
    @discardableResult
    public func clean() async -> CacheStatistics {
        await refresh()
        var freed = CacheStatistics()
        if let age = configuration.maximumAge {
            freed.add(await deleteExpired(unusedSince: clock.wallTime() - wholeSeconds(age)))
        }
        let limit = configuration.byteLimit
        if limit > 0, statistics.byteCount > limit {
            freed.add(await deleteOldest(until: limit / 2))
        }
        return freed
    }

    /// Looks at every file anew: other processes may have written, used or deleted some.
    private func refresh() async {
        let items = await writer.runToEnd(priority: .low) { self.directory.items() }
        let known = state.withLock(\.inventory.items)
        _ = await sweep(Array(Set(items).union(known)), priority: .low) { item in
            self.inspect(item)
            return CacheStatistics()
        }
    }

    private func deleteExpired(unusedSince time: Int) async -> CacheStatistics {
        let names = state.withLock { $0.inventory.names(unusedSince: time) }
        return await sweep(names, priority: .low) { name in
            // A look-up may have renewed it since the list was made.
            let isExpired = self.state.withLock { ($0.inventory[name]?.modified ?? .max) <= time }
            return isExpired ? self.delete(.entry(name)) : CacheStatistics()
        }
    }

    private func deleteOldest(until byteCount: Int) async -> CacheStatistics {
        let names = state.withLock(\.inventory).oldestFirst()
        return await sweep(names, priority: .low) { name in
            let isEnough = self.state.withLock { $0.inventory.byteCount < byteCount }
            return isEnough ? CacheStatistics() : self.delete(.entry(name))
        }
    }

    /// Runs `work` for each element on the writer thread, in slices, and adds up what was freed.
    private func sweep<Element: Sendable>(
        _ elements: [Element],
        priority: LoadPriority,
        _ work: @escaping @Sendable (Element) -> CacheStatistics
    ) async -> CacheStatistics {
        var freed = CacheStatistics()
        var rest = elements[...]
        while !rest.isEmpty {
            let slice = rest.prefix(Self.deleteSlice)
            rest = rest.dropFirst(Self.deleteSlice)
            let part = await writer.runToEnd(priority: priority) {
                slice.reduce(into: CacheStatistics()) { $0.add(work($1)) }
            }
            freed.add(part)
        }
        return freed
    }

    private func wholeSeconds(_ duration: Duration) -> Int {
        Int(clamping: max(0, duration.components.seconds))
    }
}

extension CacheStatistics {
    /// Adds another amount of freed files.
    fileprivate mutating func add(_ other: CacheStatistics) {
        entryCount += other.entryCount
        byteCount += other.byteCount
    }
}
