import SystemSupport

/// The `clear` and `clean` methods, which delete files in slices on the writer thread.
extension DiskCache {
    /// A closure that receives the number and size of the files deleted since its last call.
    public typealias DeletionObserver = @Sendable (CacheStatistics) -> Void

    // MARK: Clear

    /// Deletes all files of the cache and returns their number and size.
    ///
    /// The directory itself remains. Data from loads that began before the call is not stored, even
    /// if they are still running. Data from later loads remains. Deleting 10,000 files may take
    /// seconds, so `onPart` is called after every 64 files, on any thread.
    @discardableResult
    public func clear(onPart: DeletionObserver = { _ in }) async -> CacheStatistics {
        state.withLock { $0.beginClearing() }
        let items = await writer.runToEnd(priority: .normal) { self.listItems() }
        let freed = await sweep(items, priority: .normal, until: { false }, onPart) { item in
            self.state.withLock({ $0.survivesClearing(item) })
                ? CacheStatistics() : self.delete(item)
        }
        state.withLock { $0.endClearing() }
        tracer.record(.purged(.disk, byteCount: freed.byteCount, reason: "cleared"))
        return freed
    }

    // MARK: Clean

    /// Deletes entries unused for `maximumAge`, then enforces the budget.
    ///
    /// If the remaining entries exceed the budget, the least recently used entries are deleted
    /// until the cache uses less than half of the budget. Returns the number and size of the
    /// deleted files. If another process is deleting files, this method deletes nothing. If the
    /// task is cancelled, the method stops early. `onPart` is called as in `clear`.
    @discardableResult
    public func clean(onPart: DeletionObserver = { _ in }) async -> CacheStatistics {
        // Without this claim, budget enforcement could delete some of the files first, and this
        // method would not count them.
        while !state.withLock({ $0.claimEviction() }) {
            guard !Task.isCancelled else { return CacheStatistics() }
            await writer.runToEnd(priority: .low) {}
        }
        defer { state.withLock { $0.endEviction() } }
        guard await writer.runToEnd(priority: .low, { self.beginSweep() }) else {
            return CacheStatistics()
        }
        var freed = await refresh(onPart)
        freed.add(await deleteExpired(onPart))
        let limit = byteLimit
        if state.withLock({ $0.inventory.byteCount }) > limit {
            freed.add(await deleteOldest(until: limit / 2, onPart))
        }
        await writer.runToEnd(priority: .low) { self.endSweep() }
        tracer.record(.purged(.disk, byteCount: freed.byteCount, reason: "cleaned"))
        return freed
    }

    /// Inspects every file, because other processes may have written, used or deleted files.
    ///
    /// Deletes files left over from crashes and returns their number and size.
    private func refresh(_ onPart: DeletionObserver) async -> CacheStatistics {
        let items = await writer.runToEnd(priority: .low) { self.everyItem() }
        return await sweep(items, onPart) { self.inspect($0) }
    }

    private func deleteExpired(_ onPart: DeletionObserver) async -> CacheStatistics {
        guard let (names, time) = expired() else { return CacheStatistics() }
        return await sweep(names, onPart) { self.deleteExpired($0, unusedSince: time) }
    }

    /// Returns the names of the entries unused for `maximumAge`, and the start of that period in
    /// seconds since 1970.
    ///
    /// Returns nil if entries never expire.
    private func expired() -> (names: [EntryName], time: Int)? {
        guard let age = maximumAge, age >= .zero else { return nil }
        let time = clock.wallTime() &- Int(clamping: age.components.seconds)
        return (state.withLock { $0.inventory.names(unusedSince: time) }, time)
    }

    private func deleteExpired(_ name: EntryName, unusedSince time: Int) -> CacheStatistics {
        // The entry may have been used since the list was made.
        let isExpired = state.withLock { ($0.inventory[name]?.modified ?? .max) <= time }
        return isExpired ? delete(.entry(name)) : CacheStatistics()
    }

    /// Deletes expired entries in slices on the writer thread.
    ///
    /// The setter of `maximumAge` calls this method.
    func deleteExpiredSoon() {
        guard state.withLock(\.isScanned) else {
            // The scan is still running.
            return writer.submit(priority: .low) { self.deleteExpiredSoon() }
        }
        guard let (names, time) = expired(), !names.isEmpty else { return }
        deleteExpired(names[...], unusedSince: time, freed: CacheStatistics())
    }

    private func deleteExpired(
        _ names: ArraySlice<EntryName>,
        unusedSince time: Int,
        freed before: CacheStatistics
    ) {
        let freed = names.prefix(Self.deleteSlice).reduce(into: before) {
            $0.add(deleteExpired($1, unusedSince: time))
        }
        let rest = names.dropFirst(Self.deleteSlice)
        guard rest.isEmpty else {
            return writer.submit(priority: .low) {
                self.deleteExpired(rest, unusedSince: time, freed: freed)
            }
        }
        tracer.record(.purged(.disk, byteCount: freed.byteCount, reason: "expired"))
    }

    private func deleteOldest(
        until byteCount: Int,
        _ onPart: DeletionObserver
    ) async -> CacheStatistics {
        let names = state.withLock(\.inventory).oldestFirst()
        return await sweep(names, onPart) { name in
            let isEnough = self.state.withLock { $0.inventory.byteCount < max(1, byteCount) }
            return isEnough ? CacheStatistics() : self.delete(.entry(name))
        }
    }

    /// Runs `work` for each element in slices on the writer thread.
    ///
    /// Returns the total number and size of the deleted files.
    private func sweep<Element: Sendable>(
        _ elements: [Element],
        priority: LoadPriority = .low,
        until isEnough: () -> Bool = { Task.isCancelled },
        _ onPart: DeletionObserver,
        _ work: @escaping @Sendable (Element) -> CacheStatistics
    ) async -> CacheStatistics {
        var freed = CacheStatistics()
        var rest = elements[...]
        while !rest.isEmpty, !isEnough() {
            let slice = rest.prefix(Self.deleteSlice)
            rest = rest.dropFirst(Self.deleteSlice)
            let part = await writer.runToEnd(priority: priority) {
                slice.reduce(into: CacheStatistics()) { $0.add(work($1)) }
            }
            freed.add(part)
            onPart(part)
        }
        return freed
    }
}
