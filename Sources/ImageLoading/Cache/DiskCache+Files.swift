/// What the cache's threads do with single files.
extension DiskCache {
    /// How old the noted time of last use may get before a hit renews it (row F11): often enough
    /// for an order of eviction, seldom enough to cost nothing.
    private static let touchInterval = 3600

    enum LookupEnd: Error {
        case miss
    }

    // MARK: Reader threads

    func read(_ name: CacheFileName) -> Result<[UInt8], LookupEnd> {
        do throws(FileReading.Problem) {
            let (bytes, facts) = try directory.read(
                name,
                maximumByteCount: Self.maximumBodyByteCount
            )
            guard !bytes.isEmpty, bytes.count == facts.byteCount else {
                throw FileReading.Problem.unexpectedSize
            }
            noteHit(name, facts: facts)
            return .success(bytes)
        } catch {
            noteMiss(name, because: error)
            return .failure(.miss)
        }
    }

    private func noteHit(_ name: CacheFileName, facts: FileFacts) {
        let now = clock.wallTime()
        // A time in the future comes from a clock that was wrong; it would never expire.
        let isStale = (now &- facts.modified).magnitude >= Self.touchInterval
        if isStale { directory.touch(name, at: now) }
        let modified = isStale ? now : facts.modified
        guard !state.withLock({ $0.noteHit(name, modified: modified) }) else { return }
        writer.submit(priority: .low) { self.inspect(.body(name)) }
    }

    private func noteMiss(_ name: CacheFileName, because problem: FileReading.Problem) {
        switch problem {
        case .failure(let failure) where failure.isMissing:
            let isKnown = state.withLock { state in
                state.noteMiss()
                return state.inventory[name] != nil
            }
            // Another process or a person deleted it.
            if isKnown { writer.submit(priority: .low) { self.inspect(.body(name)) } }
        case .failure(let failure):
            state.withLock { $0.noteReadFailure("\(failure.operation): \(failure.text)") }
        case .notRegular:
            state.withLock { $0.noteReadFailure("not a regular file: \(name)") }
        case .unexpectedSize:
            state.withLock { $0.noteReadFailure("damaged file: \(name)") }
            writer.submit(priority: .low) { self.inspect(.body(name)) }
        }
    }

    // MARK: Writer thread

    func write(_ name: CacheFileName, number: Int, begun: CacheGeneration) {
        guard let bytes = state.withLock({ $0.stagedBody(name, number: number) }) else { return }
        do {
            let facts = try directory.write(bytes, as: name, at: clock.wallTime())
            state.withLock { $0.noteWritten(name, number: number, facts: facts, begun: begun) }
            evictIfNeeded()
        } catch {
            state.withLock { $0.noteWriteFailed(name, number: number, error) }
        }
    }

    /// Takes note of a file as it is on the disk.
    ///
    /// Deletes what a crash may leave: an empty body, one that can't be ours by its size, a
    /// temporary file older than an hour (fact P6).
    func inspect(_ item: CacheDirectory.Item) {
        guard let facts = try? directory.facts(of: item) else {
            if case .body(let name) = item { state.withLock { $0.inventory.remove(name) } }
            return
        }
        guard facts.isRegular else { return }
        switch item {
        case .body(let name):
            guard (1...Self.maximumBodyByteCount).contains(facts.byteCount) else {
                _ = delete(item)
                return
            }
            state.withLock {
                $0.inventory.noteSeen(
                    name,
                    byteCount: facts.allocatedByteCount,
                    modified: facts.modified
                )
            }
        case .temporary:
            if clock.wallTime() &- facts.modified > 3600 { _ = delete(item) }
        }
    }

    /// Deletes a file and returns what that freed; nothing if it was gone or could not be deleted,
    /// in which case it goes on counting (row C25).
    func delete(_ item: CacheDirectory.Item) -> CacheStatistics {
        var freed = CacheStatistics()
        do {
            let size = (try? directory.facts(of: item))?.allocatedByteCount ?? 0
            if try directory.remove(item) {
                freed.entryCount = 1
                freed.byteCount = size
            }
            if case .body(let name) = item { state.withLock { $0.inventory.remove(name) } }
        } catch {
            state.withLock { $0.noteDeleteFailure(error) }
        }
        return freed
    }
}
