/// What the cache's reader threads do.
extension DiskCache {
    /// How old the noted time of last use may get before a hit renews it: often enough for an
    /// order of eviction, seldom enough to cost nothing.
    private static let touchInterval = 3600

    enum LookupEnd: Error {
        case miss
    }

    /// The body of a URL; counts as a hit or a miss.
    func readBody(_ key: DiskKey) -> Result<DiskEntry, LookupEnd> {
        let found = read(key, .body) ?? readElsewhere(key)
        state.withLock { found == nil ? $0.noteMiss() : $0.noteHit() }
        return found.map(Result.success) ?? .failure(.miss)
    }

    /// Whether neither a URL's body nor part of it is to be expected, by what is known of the directory;
    /// another process may have put something there all the same.
    func expectsNothing(of key: DiskKey) -> Bool {
        guard settings.readOnlyDirectories.isEmpty else { return false }
        return state.withLock { $0.expectsNothing([key.body, key.partial]) }
    }

    /// Whether there is neither, by a look; that counts as a miss.
    ///
    /// For threads that may wait for a disk.
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
            // It may have been stored meanwhile.
            guard state.expectsNothing([key.body, key.partial]) else { return false }
            state.noteMiss()
            return true
        }
    }

    /// An entry from the cache's own directory.
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

    /// What is wrong with other people's files is none of our business.
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

    /// Without the first use, which begins the look through the directory, only the file is told.
    func noteUse(of name: EntryName, facts: FileFacts) {
        let now = clock.wallTime()
        // A time in the future comes from a clock that was wrong; it would never expire.
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
            // Another process or a person deleted it.
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

    /// The path of a body, here or in a read-only directory; nil if there is none.
    func path(of key: DiskKey) -> String? {
        let others = settings.readOnlyDirectories.map { CacheDirectory(path: $0, isForeign: true) }
        let holder = ([directory] + others).first { directory in
            guard let facts = try? directory.facts(of: .entry(key.body)) else { return false }
            return facts.isRegular && facts.byteCount > 0 && directory.isOurs(facts)
        }
        return holder?.path(of: .entry(key.body))
    }
}

/// Parts of bodies, so that a later transfer can resume where an earlier one stopped.
///
/// Kept beside the bodies under names of their own and never returned as one. They count in the
/// budget, and are the first to go; `clear` and the storing of the whole body remove them.
extension DiskCache {
    /// Part of a URL's body; nil if there is none, if it is damaged, or if the task was cancelled.
    ///
    /// Counts as neither hit nor miss.
    func partial(for url: ImageURL) async -> DiskEntry? {
        let key = key(of: url)
        if let staged = state.withLock({ $0.staged(key.partial, owner: key.owner) }) {
            return staged
        }
        // Cancelled: the caller is gone, and with it the reason to say why.
        return try? await readers.run(priority: .high) { _ in
            self.read(key, .partial)
        }
    }

    /// Removes part of a body; it is gone from the disk when this returns.
    func removePartial(for url: ImageURL) async {
        let name = key(of: url).partial
        state.withLock { $0.unstage(name) }
        await writer.runToEnd(priority: .normal) { _ = self.delete(.entry(name)) }
    }

    /// Stores part of a body, in place of an earlier one; `metadata` says what it takes to resume.
    ///
    /// Under the same rules as `store`.
    func storePartial(
        _ bytes: [UInt8],
        metadata: [UInt8],
        for url: ImageURL,
        begun: CacheGeneration? = nil
    ) {
        stage(DiskEntry(bytes: bytes, metadata: metadata), as: .partial, for: url, begun: begun)
    }
}
