import SystemSupport

/// Methods that read entries; most of them run on the cache's reader threads.
extension DiskCache {
    /// The minimum time between two updates of a file's modification time, in seconds.
    ///
    /// The modification time records when the entry was last used. An hour is short enough for an
    /// accurate eviction order and long enough to make the cost negligible.
    private static let touchInterval = 3600

    enum LookupEnd: Error {
        case miss
    }

    /// Reads the body of a URL and counts a hit or a miss.
    func readBody(_ key: DiskKey) -> Result<DiskEntry, LookupEnd> {
        let found = read(key, .body) ?? readElsewhere(key)
        state.withLock { found == nil ? $0.noteMiss() : $0.noteHit() }
        return found.map(Result.success) ?? .failure(.miss)
    }

    /// Returns whether this process has found neither a body nor a partial body for a URL.
    ///
    /// Another process may still have stored a body. The result is always false until the scan is
    /// complete, or if the configuration has read-only directories.
    func expectsNothing(of key: DiskKey) -> Bool {
        guard settings.readOnlyDirectories.isEmpty else { return false }
        return state.withLock { $0.expectsNothing([key.body, key.partial]) }
    }

    /// Returns whether the disk has neither a body nor a partial body for a URL; if so, counts a
    /// miss.
    ///
    /// Call this method only on a thread that may block on disk I/O.
    func confirmsNothing(of key: DiskKey) -> Bool {
        for name in [key.body, key.partial] {
            do throws(FileFailure) {
                _ = try directory.facts(of: .entry(name))
                return false
            } catch {
                guard error.isMissing else { return false }
            }
        }
        return state.withLock { state in
            // The entry may have been stored in the meantime.
            guard state.expectsNothing([key.body, key.partial]) else { return false }
            state.noteMiss()
            return true
        }
    }

    /// Reads an entry from the cache's own directory; returns nil if it cannot be read.
    func read(_ key: DiskKey, _ kind: EntryName.Kind) -> DiskEntry? {
        do throws(CacheDirectory.ReadingProblem) {
            let found = try find(key, kind)
            noteUse(of: key.name(kind), facts: found.facts)
            return found.entry
        } catch {
            note(error, with: key, kind)
            return nil
        }
    }

    func find(
        _ key: DiskKey,
        _ kind: EntryName.Kind
    ) throws(CacheDirectory.ReadingProblem) -> CacheDirectory.Found {
        try directory.read(
            key.name(kind),
            owner: key.owner,
            maximumByteCount: kind.maximumByteCount
        )
    }

    /// Reads a body from the read-only directories.
    ///
    /// Errors are not recorded, because the files belong to other programs.
    private func readElsewhere(_ key: DiskKey) -> DiskEntry? {
        for path in settings.readOnlyDirectories {
            let found = try? CacheDirectory(path: path, isForeign: true).read(
                key.body,
                owner: key.owner,
                maximumByteCount: Self.maximumBodyByteCount
            )
            if let found { return found.entry }
        }
        return nil
    }

    /// Records a use of an entry in the modification time of its file and in the inventory.
    ///
    /// The modification time is changed only if it differs from the current time by at least
    /// `touchInterval`. Until the cache is first used, the inventory is not updated.
    func noteUse(of name: EntryName, facts: FileStatus) {
        let now = clock.wallTime()
        // A time in the future was set by a wrong clock. If it were kept, the entry would never
        // expire.
        let isStale = (now &- facts.modified).magnitude >= Self.touchInterval
        if isStale { directory.touch(name, at: now) }
        let modified = isStale ? now : facts.modified
        let use = DiskInventory.Use(time: now, modified: modified)
        guard !state.withLock({ $0.noteUse(use, of: name) || !$0.isInUse }) else { return }
        writer.submit(priority: .low) { self.inspect(.entry(name)) }
    }

    private func note(
        _ problem: CacheDirectory.ReadingProblem,
        with key: DiskKey,
        _ kind: EntryName.Kind
    ) {
        let name = key.name(kind)
        switch problem {
        case .file(.failure(let failure)) where failure.isMissing:
            // Another process or the user deleted the file.
            guard state.withLock({ $0.inventory[name] != nil }) else { return }
            writer.submit(priority: .low) { self.inspect(.entry(name)) }
        case .file(.failure(let failure)):
            state.withLock { $0.noteReadFailure("\(failure.operation): \(failure.text)") }
        case .file:
            state.withLock { $0.noteReadFailure("not a regular file: \(name)") }
        case .ofAnotherUser:
            state.withLock { $0.noteReadFailure("another user's file: \(name)") }
        case .ofAnotherURL:
            state.withLock { $0.noteReadFailure("another URL's file: \(name)") }
        case .damaged:
            state.withLock { $0.noteDamage(of: name) }
            writer.submit(priority: .low) { self.deleteIfDamaged(key, kind) }
        }
    }

    /// Returns the path of a body in this cache or in a read-only directory, or nil if there is no
    /// such body.
    func path(of key: DiskKey) -> String? {
        let others = settings.readOnlyDirectories.map { CacheDirectory(path: $0, isForeign: true) }
        let holder = ([directory] + others).first { directory in
            guard let facts = try? directory.facts(of: .entry(key.body)) else { return false }
            return facts.isRegular && facts.byteCount > 0 && directory.isOurs(facts)
        }
        return holder?.path(of: .entry(key.body))
    }
}

/// Partial bodies that a later transfer can complete.
///
/// They are stored next to the bodies under separate names, and are never returned as bodies. They
/// count toward the budget and are evicted first. A partial body is deleted by `clear` or when the
/// complete body is stored.
extension DiskCache {
    /// Returns the partial body for a URL.
    ///
    /// Returns nil if the partial body does not exist or is damaged, or if the task was cancelled.
    /// The call counts as neither a hit nor a miss.
    func partial(for url: ImageURL) async -> DiskEntry? {
        let key = key(of: url)
        if let staged = state.withLock({ $0.staged(key.partial, owner: key.owner) }) {
            return staged
        }
        // If the task was cancelled, the result is unused, so the error does not matter.
        return try? await readers.run(priority: .high) { _ in
            self.read(key, .partial)
        }
    }

    /// Removes the partial body of a URL.
    ///
    /// Returns after the file has been deleted from the disk.
    func removePartial(for url: ImageURL) async {
        let name = key(of: url).partial
        state.withLock { $0.unstage(name) }
        await writer.runToEnd(priority: .normal) { _ = self.delete(.entry(name)) }
    }

    /// Stores a partial body, replacing any earlier one and following the same rules as `store`.
    ///
    /// `metadata` contains the information needed to resume the transfer.
    func storePartial(
        _ bytes: [UInt8],
        metadata: [UInt8],
        for url: ImageURL,
        begun: CacheGeneration? = nil
    ) {
        stage(DiskEntry(bytes: bytes, metadata: metadata), as: .partial, for: url, begun: begun)
    }
}
