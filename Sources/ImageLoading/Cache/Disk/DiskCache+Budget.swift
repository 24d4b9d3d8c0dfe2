/// The scan at the first use and the budget.
///
/// All of it runs on the writer thread in slices of a few milliseconds, so that stores get in
/// between.
extension DiskCache {
    static let lookSlice = 2_000
    static let deleteSlice = 64

    // MARK: Looking through the directory

    /// Starts the scan, the first time that it is called.
    func scanOnce() {
        guard state.withLock({ $0.beginUse() }) else { return }
        look { cache in
            // Those that were stored before the others of their picture were known.
            for file in cache.state.withLock({ $0.inventory.filesWithSurplusThumbnails }) {
                cache.trimThumbnails(of: file)
            }
            cache.state.withLock { $0.isScanned = true }
            cache.evictIfNeeded()
        }
    }

    /// Looks at every file anew, since other processes may have written, used or deleted some; then
    /// does the rest.
    private func look(then rest: @escaping @Sendable (DiskCache) -> Void) {
        writer.submit(priority: .low) {
            self.look(at: self.everyItem()[...], then: rest)
        }
    }

    /// What is in the directory, and what was there when it was looked at last.
    func everyItem() -> [CacheDirectory.Item] {
        let known = state.withLock { state in
            state.noteLook()
            return state.inventory.items
        }
        let seen = listItems()
        return known.isEmpty ? seen : Array(Set(seen).union(known))
    }

    /// What is in the directory; nothing if it can't be read, which is noted.
    func listItems() -> [CacheDirectory.Item] {
        do throws(FileFailure) {
            let items = try directory.items()
            state.withLock { $0.noteDirectory(nil) }
            return items
        } catch {
            state.withLock { $0.noteDirectory(error) }
            return []
        }
    }

    private func look(
        at items: ArraySlice<CacheDirectory.Item>,
        then rest: @escaping @Sendable (DiskCache) -> Void
    ) {
        for item in items.prefix(Self.lookSlice) { inspect(item) }
        let remaining = items.dropFirst(Self.lookSlice)
        guard !remaining.isEmpty else { return rest(self) }
        writer.submit(priority: .low) { self.look(at: remaining, then: rest) }
    }

    // MARK: Budget

    /// Keeps the budget at every write, not only when `clean` is called.
    ///
    /// Of several processes on one directory one at a time deletes. Each counts what it knows of,
    /// so one that writes much looks from time to time at what the others wrote.
    func evictIfNeeded() {
        if state.withLock({ $0.beginLook() }) {
            look { cache in
                cache.state.withLock { $0.isLooking = false }
                cache.evictIfNeeded()
            }
        }
        guard state.withLock({ $0.beginEviction() }) else { return }
        // Somebody else is at it, and the files are the same.
        guard beginSweep() else { return state.withLock { $0.endEviction() } }
        let inventory = state.withLock(\.inventory)
        let victims = inventory.oldestFirst()[...]
        evict(victims, knownUses: inventory.lastUseNumber, evicted: .init())
    }

    /// The first slice at once, so that a burst of stores can't outrun it.
    private func evict(
        _ victims: ArraySlice<EntryName>,
        knownUses: Int,
        evicted before: CacheStatistics
    ) {
        var evicted = before
        for name in victims.prefix(Self.deleteSlice) {
            guard !state.withLock(\.isEvictionDone) else { break }
            // Used or written again since the order was made.
            guard !state.withLock({ $0.inventory.wasUsed(name, after: knownUses) }),
                !wasUsedElsewhere(name)
            else { continue }
            let freed = delete(.entry(name))
            if freed.entryCount > 0 { state.withLock { $0.noteEvicted() } }
            evicted.add(freed)
        }
        let (rest, result) = (victims.dropFirst(Self.deleteSlice), evicted)
        guard !rest.isEmpty, !state.withLock(\.isEvictionDone) else {
            return endEviction(result)
        }
        // Before stores that wait: behind them it would not come while somebody fetches a long list, and
        // the cache would grow without end.
        writer.submit(priority: .high) {
            self.evict(rest, knownUses: knownUses, evicted: result)
        }
    }

    /// Whether another process used or replaced a file since it was looked at.
    private func wasUsedElsewhere(_ name: EntryName) -> Bool {
        guard let facts = try? directory.facts(of: .entry(name)) else { return false }
        let known = state.withLock { $0.inventory[name]?.modified }
        guard let known, facts.modified > known else { return false }
        inspect(.entry(name))
        return true
    }

    private func endEviction(_ evicted: CacheStatistics) {
        endSweep()
        state.withLock { $0.endEviction() }
        guard evicted.entryCount > 0 else { return }
        tracer.record(
            .evicted(.disk, count: evicted.entryCount, byteCount: evicted.byteCount)
        )
    }

    // MARK: One sweep at a time

    /// Whether this process may delete to keep the budget; then `endSweep` must follow.
    ///
    /// Two that delete at once would delete twice as much as needed. On the writer thread.
    func beginSweep() -> Bool {
        guard !state.withLock({ $0.joinSweep() }) else { return true }
        // Without locks it is better to delete too much than never.
        let outcome = sweepLock.tryLock(LockFile.sweepOffset, makesDirectory: false)
        guard outcome != .heldElsewhere else { return false }
        state.withLock { $0.startSweep() }
        return true
    }

    /// On the writer thread.
    func endSweep() {
        guard state.withLock({ $0.leaveSweep() }) else { return }
        sweepLock.unlock(LockFile.sweepOffset)
    }
}

extension CacheStatistics {
    /// Adds another amount of freed files.
    mutating func add(_ other: CacheStatistics) {
        entryCount += other.entryCount
        thumbnailCount += other.thumbnailCount
        byteCount += other.byteCount
    }
}
