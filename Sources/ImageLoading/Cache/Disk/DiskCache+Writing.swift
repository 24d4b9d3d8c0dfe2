/// What the cache's writer thread does with single files.
extension DiskCache {
    /// A store on its way to the disk.
    struct Store: Sendable {
        let key: DiskKey
        let name: EntryName
        let number: Int
        let begun: CacheGeneration
    }

    /// Has an entry written, unless it must not be.
    func stage(
        _ entry: DiskEntry,
        as kind: EntryName.Kind,
        for url: ImageURL,
        begun: CacheGeneration?
    ) {
        stage(entry, as: kind, key(of: url), begun: begun)
    }

    /// As above, under a key that may be another than the URL's own.
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
            // It may be there all the same, if only the writing through failed.
            inspect(.entry(name))
        }
    }

    /// The body is whole; most have no partial, which what is known of the directory tells, or one look.
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

    /// Takes note of a file as it is on the disk.
    ///
    /// Deletes what a crash may leave: an empty body, one that can't be ours by its size; a
    /// temporary file older than an hour, or a sidecar so old without its entry, since a young one
    /// may belong to a store under way in another process. Returns what that freed.
    @discardableResult
    func inspect(_ item: CacheDirectory.Item) -> CacheStatistics {
        let facts: FileFacts
        do throws(FileFailure) {
            facts = try directory.facts(of: item)
        } catch {
            if !error.isMissing { state.withLock { $0.noteDirectory(error) } }
            forget(item)
            return CacheStatistics()
        }
        guard facts.isRegular else { return CacheStatistics() }
        let now = clock.wallTime()
        // In the future too: else what a wrong clock wrote would stay for ever.
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

    /// Looks again before it deletes, here where nothing is written meanwhile: the reader may have
    /// seen a new sidecar beside the old body.
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

    /// Deletes everything of one URL.
    func deleteAll(of file: CacheFileName) {
        let known = state.withLock { $0.isScanned ? $0.inventory.images(of: file) : nil }
        let images = known ?? listItems().compactMap { $0.image(of: file) }
        for name in [EntryName(file, .body), EntryName(file, .partial)] + images {
            _ = delete(.entry(name))
        }
    }

    /// Deletes a file, an entry's sidecar with it, and returns what that freed; nothing if it was
    /// gone or could not be deleted, in which case it still counts.
    func delete(_ item: CacheDirectory.Item) -> CacheStatistics {
        var freed = CacheStatistics()
        do {
            let size = (try? directory.facts(of: item))?.allocatedByteCount ?? 0
            if try directory.remove(item) {
                // A sidecar counts as a part of its entry.
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
    /// Itself, if it is a processed image of this URL.
    fileprivate func image(of file: CacheFileName) -> EntryName? {
        guard case .entry(let name) = self, name.isImage, name.file == file else { return nil }
        return name
    }
}
