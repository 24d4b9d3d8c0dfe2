import SystemSupport

/// Methods that store, inspect and delete single files; most of them run on the cache's writer
/// thread.
extension DiskCache {
    /// A request to write an entry to the disk.
    struct Store: Sendable {
        let key: DiskKey
        let name: EntryName
        let number: Int
        let begun: CacheGeneration
    }

    /// Queues an entry for a URL to be written to the disk, following the same rules as `store`.
    func stage(
        _ entry: DiskEntry,
        as kind: EntryName.Kind,
        for url: ImageURL,
        begun: CacheGeneration?
    ) {
        stage(entry, as: kind, key(of: url), begun: begun)
    }

    /// Queues an entry to be written to the disk under `key`.
    ///
    /// The key belongs to a URL or to a processed image.
    func stage(
        _ entry: DiskEntry,
        as kind: EntryName.Kind,
        _ key: DiskKey,
        begun: CacheGeneration?
    ) {
        guard isStorable(entry) else { return }
        let name = EntryName(key.file, kind)
        let store = state.withLock { state -> Store? in
            let begun = begun ?? state.generation
            return state.stage(entry, as: name, owner: key.owner, begun: begun)
                .map { Store(key: key, name: name, number: $0, begun: begun) }
        }
        guard let store else { return }
        writer.submit(priority: .normal) { self.write(store) }
    }

    private func isStorable(_ entry: DiskEntry) -> Bool {
        !entry.bytes.isEmpty
            && entry.bytes.count <= Self.maximumBodyByteCount
            && entry.metadata.count <= DiskEntry.maximumMetadataByteCount
    }

    private func write(_ store: Store) {
        let (name, number) = (store.name, store.number)
        guard let entry = state.withLock({ $0.stagedEntry(name, number: number) }) else { return }
        do {
            let draft = CacheDirectory.Draft(
                name: name,
                entry: entry,
                owner: store.key.owner,
                time: clock.wallTime(),
                durability: settings.durability,
                mayHaveSidecar: state.withLock { $0.mayHaveSidecar(name) }
            )
            let written = try directory.write(draft)
            state.withLock { $0.noteWritten(name, number: number, written, begun: store.begun) }
            let byteCount = entry.bytes.count
            tracer.record(.stored(.disk, byteCount: byteCount), url: store.key.url.absoluteString)
            if name.kind == .body { deletePartial(of: store.key) }
            evictIfNeeded()
        } catch {
            state.withLock { $0.noteWriteFailed(name, number: number, error) }
            // The file may still exist if only the final `fsync` failed.
            inspect(.entry(name))
        }
    }

    /// Deletes the partial body of a URL after its complete body has been stored.
    ///
    /// Most URLs have no partial body. Checking this takes only an inventory lookup or a single
    /// `lstat` call.
    private func deletePartial(of key: DiskKey) {
        guard !state.withLock({ $0.expectsNothing([key.partial]) }) else { return }
        let item = CacheDirectory.Item.entry(key.partial)
        if (try? directory.facts(of: item)) != nil { _ = delete(item) }
    }

    func amend(_ key: DiskKey, metadata: [UInt8]) {
        let amendment = CacheDirectory.Amendment(
            name: key.body,
            owner: key.owner,
            metadata: metadata,
            time: clock.wallTime(),
            durability: settings.durability
        )
        do {
            let sidecarByteCount = try directory.amend(
                amendment,
                maximumByteCount: Self.maximumBodyByteCount
            )
            guard let sidecarByteCount else { return }
            state.withLock { $0.inventory.noteSidecar(of: key.body, byteCount: sidecarByteCount) }
            inspect(.entry(key.body))
        } catch {
            state.withLock { $0.noteWriteFailure("\(error.operation): \(error.text)") }
        }
    }

    /// Updates the inventory with the current properties of a file, or deletes the file.
    ///
    /// The file is deleted if it was probably left over from a crash. This applies to empty
    /// entries, entries larger than `maximumBodyByteCount`, temporary files older than an hour, and
    /// sidecars older than an hour that have no entry. A younger sidecar may belong to an entry
    /// that another process is storing. Returns the number and size of the deleted files.
    @discardableResult
    func inspect(_ item: CacheDirectory.Item) -> CacheStatistics {
        let facts: FileStatus
        do throws(FileFailure) {
            facts = try directory.facts(of: item)
        } catch {
            if !error.isMissing { state.withLock { $0.noteDirectory(error) } }
            forget(item)
            return CacheStatistics()
        }
        guard facts.isRegular else { return CacheStatistics() }
        let now = clock.wallTime()
        // This includes times in the future. Otherwise, files written while the clock was wrong
        // would stay forever.
        let isOld = (now &- facts.modified).magnitude > 3600
        switch item {
        case .entry(let name):
            guard (1...Self.maximumBodyByteCount).contains(facts.byteCount) else {
                return delete(item)
            }
            let use = DiskInventory.Use(time: min(now, facts.modified), modified: facts.modified)
            let byteCount = facts.allocatedByteCount
            state.withLock { $0.inventory.noteSeen(name, byteCount: byteCount, use) }
        case .sidecar(let name):
            let isOrphan = (try? directory.facts(of: .entry(name))) == nil
            if isOrphan, isOld { return delete(item) }
            let byteCount = facts.allocatedByteCount
            state.withLock { $0.inventory.noteSidecar(of: name, byteCount: byteCount) }
        case .temporary:
            if isOld { return delete(item) }
        }
        return CacheStatistics()
    }

    private func forget(_ item: CacheDirectory.Item) {
        state.withLock { state in
            switch item {
            case .entry(let name): state.inventory.remove(name)
            case .sidecar(let name): state.inventory.noteSidecar(of: name, byteCount: 0)
            case .temporary: break
            }
        }
    }

    /// Reads an entry again on the writer thread and deletes it if it is still damaged.
    ///
    /// The second read is necessary, because a reader may have seen a new sidecar together with the
    /// old body. The writer thread writes nothing between the second read and the deletion.
    func deleteIfDamaged(_ key: DiskKey, _ kind: EntryName.Kind) {
        defer { state.withLock { $0.settleDamage(of: key.name(kind)) } }
        do throws(CacheDirectory.ReadingProblem) {
            _ = try find(key, kind)
        } catch .damaged {
            let freed = delete(.entry(key.name(kind)))
            guard freed.entryCount > 0 else { return }
            tracer.record(
                .purged(.disk, byteCount: freed.byteCount, reason: "damaged"),
                url: key.url.absoluteString
            )
        } catch {
            inspect(.entry(key.name(kind)))
        }
    }

    /// Deletes all entries of one URL.
    func deleteAll(of file: CacheFileName) {
        let known = state.withLock { $0.isScanned ? $0.inventory.images(of: file) : nil }
        let images = known ?? listItems().compactMap { $0.image(of: file) }
        for name in [EntryName(file, .body), EntryName(file, .partial)] + images {
            _ = delete(.entry(name))
        }
    }

    /// Deletes a file; if it is an entry, also deletes its sidecar.
    ///
    /// Returns the number and size of the deleted entries. Both are zero if the file did not exist
    /// or could not be deleted. A file that could not be deleted still counts toward the budget.
    func delete(_ item: CacheDirectory.Item) -> CacheStatistics {
        var freed = CacheStatistics()
        do {
            let size = (try? directory.facts(of: item))?.allocatedByteCount ?? 0
            if try directory.remove(item) {
                // A sidecar counts as part of its entry.
                if case .sidecar = item {} else { freed.entryCount = 1 }
                if case .entry(let name) = item, name.isThumbnail { freed.thumbnailCount = 1 }
                freed.byteCount = size
            }
            forget(item)
        } catch {
            state.withLock { $0.noteDeleteFailure(error) }
            return freed
        }
        guard case .entry(let name) = item else { return freed }
        freed.byteCount += delete(.sidecar(name)).byteCount
        return freed
    }
}

extension CacheDirectory.Item {
    /// Returns the item's name if the item is a processed image or a thumbnail of the URL with the
    /// cache file name `file`; otherwise, returns nil.
    fileprivate func image(of file: CacheFileName) -> EntryName? {
        guard case .entry(let name) = self, name.isImage, name.file == file else { return nil }
        return name
    }
}
