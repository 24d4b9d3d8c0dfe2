import SystemSupport

/// Methods that scan the directory on first use and evict entries when the cache exceeds its
/// budget.
///
/// Scans and evictions run on the writer thread in slices of a few milliseconds. Stores can run
/// between the slices.
extension DiskCache {
    static let lookSlice = 2_000
    static let deleteSlice = 64

    // MARK: Scanning the directory

    /// Scans the directory on the first call; later calls have no effect.
    func scanOnce() {
        guard state.withLock({ $0.beginUse() }) else { return }
        look { cache in
            // Thumbnails stored during the scan may exceed the limit per image, because the scan
            // had not found the older ones yet.
            for file in cache.state.withLock({ $0.inventory.filesWithSurplusThumbnails }) {
                cache.trimThumbnails(of: file)
            }
            cache.state.withLock { $0.isScanned = true }
            cache.evictIfNeeded()
        }
    }

    /// Inspects every file in the directory and in the inventory, then calls `rest`.
    ///
    /// Other processes may have written, used or deleted files since the last scan.
    private func look(then rest: @escaping @Sendable (DiskCache) -> Void) {
        writer.submit(priority: .low) {
            self.look(at: self.everyItem()[...], then: rest)
        }
    }

    /// Records the start of a scan, and returns the files in the directory and in the inventory.
    func everyItem() -> [CacheDirectory.Item] {
        let known = state.withLock { state in
            state.noteLook()
            return state.inventory.items
        }
        let seen = listItems()
        return known.isEmpty ? seen : Array(Set(seen).union(known))
    }

    /// Returns the files in the directory.
    ///
    /// If the directory cannot be read, the method records the error and returns an empty list.
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

    /// Starts an eviction if the cache exceeds its budget.
    ///
    /// The budget is enforced after every write, not only when `clean` is called.
    ///
    /// If several processes share the directory, only one of them deletes files at a time. Each
    /// process counts only the files that it has found. To find the files of the other processes, a
    /// process scans the directory again when it has written more than an eighth of the budget
    /// since its last scan began.
    func evictIfNeeded() {
        if state.withLock({ $0.beginLook() }) {
            look { cache in
                cache.state.withLock { $0.isLooking = false }
                cache.evictIfNeeded()
            }
        }
        guard state.withLock({ $0.beginEviction() }) else { return }
        // Another process is already evicting the same files.
        guard beginSweep() else { return state.withLock { $0.endEviction() } }
        let inventory = state.withLock(\.inventory)
        let victims = inventory.oldestFirst()[...]
        evict(victims, knownUses: inventory.lastUseNumber, evicted: .init())
    }

    /// Evicts entries in slices.
    ///
    /// The first slice runs immediately. Otherwise, a burst of stores could fill the cache faster
    /// than entries are evicted.
    private func evict(
        _ victims: ArraySlice<EntryName>,
        knownUses: Int,
        evicted before: CacheStatistics
    ) {
        var evicted = before
        for name in victims.prefix(Self.deleteSlice) {
            guard !state.withLock(\.isEvictionDone) else { break }
            // Skip entries that were used or written after the order was determined.
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
        // The next slice runs before waiting stores. Otherwise, eviction would not run while a long
        // list is loading, and the cache would grow without limit.
        writer.submit(priority: .high) {
            self.evict(rest, knownUses: knownUses, evicted: result)
        }
    }

    /// Returns whether another process used or replaced a file since this process last inspected
    /// it.
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

    /// Begins a sweep (a deletion of several files), unless another process is deleting files.
    ///
    /// Returns whether the sweep began; if so, the caller must call `endSweep`. Two processes that
    /// delete at the same time would delete twice as much as needed. Call this method on the writer
    /// thread.
    func beginSweep() -> Bool {
        guard !state.withLock({ $0.joinSweep() }) else { return true }
        // If locks are unavailable, deleting too much is better than never deleting.
        let outcome = sweepLock.tryLock(LockFile.sweepOffset, makesDirectory: false)
        guard outcome != .heldElsewhere else { return false }
        state.withLock { $0.startSweep() }
        return true
    }

    /// Ends a sweep, and releases the lock if no other sweep is running in this process.
    ///
    /// Call this method on the writer thread.
    func endSweep() {
        guard state.withLock({ $0.leaveSweep() }) else { return }
        sweepLock.unlock(LockFile.sweepOffset)
    }
}

extension CacheStatistics {
    /// Adds the number and size of the deleted files in `other`.
    mutating func add(_ other: CacheStatistics) {
        entryCount += other.entryCount
        thumbnailCount += other.thumbnailCount
        byteCount += other.byteCount
    }
}
