internal import Glibc

extension CacheDirectory {
    /// What is to be written.
    struct Draft: Sendable {
        let name: EntryName
        let entry: DiskEntry
        let owner: MessageDigest
        /// Becomes the file's time of last use, in seconds since 1970.
        let time: Int
        let durability: DiskDurability
        /// False if the entry is known to have none.
        var mayHaveSidecar = true
    }

    /// What an entry takes on the disk.
    struct Written: Sendable {
        let facts: FileFacts
        /// Bytes of allocated blocks; 0 if the file itself carries the record.
        let sidecarByteCount: Int
    }

    /// Writes an entry so that its name only ever stands for a whole one: into a temporary file
    /// beside it, which is then renamed.
    ///
    /// The record is set on the temporary file, so both appear at once. Where the file can't carry
    /// it, a sidecar is renamed first: a crash between the two leaves the new record beside the old
    /// body, or beside none. The first doesn't fit, and is a miss; the second is an orphan, which
    /// the scan removes. Makes the directory if it isn't there (any more).
    func write(_ draft: Draft) throws(FileFailure) -> Written {
        try admit()
        let record = EntryRecord(of: draft.entry, owner: draft.owner).encoded()
        let body = try writeTemporary(
            draft.entry.bytes,
            record: record,
            at: draft.time,
            draft.durability
        )
        let sidecarByteCount =
            body.hasRecord
            ? 0
            : try guarding([body.item]) { () throws(FileFailure) in
                try writeSidecar(record, of: draft.name, at: draft.time, draft.durability)
            }
        let own: [Item] = [body.item] + (body.hasRecord ? [] : [.sidecar(draft.name)])
        try guarding(own) { () throws(FileFailure) in
            try calls.rename(path(of: body.item), path(of: .entry(draft.name)))
        }
        // One of an earlier body, maybe: it is not looked at any more, and only takes room.
        if body.hasRecord, draft.mayHaveSidecar { _ = try? remove(.sidecar(draft.name)) }
        if draft.durability == .everyStore { try synchroniseNames() }
        return Written(facts: body.facts, sidecarByteCount: sidecarByteCount)
    }

    /// Returns the bytes of blocks it takes.
    func writeSidecar(
        _ record: [UInt8],
        of name: EntryName,
        at time: Int,
        _ durability: DiskDurability
    ) throws(FileFailure) -> Int {
        let sidecar = try writeTemporary(record, at: time, durability)
        try guarding([sidecar.item]) { () throws(FileFailure) in
            try calls.rename(path(of: sidecar.item), path(of: .sidecar(name)))
        }
        return sidecar.facts.allocatedByteCount
    }

    /// Deletes `items` if `body` fails.
    private func guarding<Result>(
        _ items: [Item],
        _ body: () throws(FileFailure) -> Result
    ) throws(FileFailure) -> Result {
        do {
            return try body()
        } catch {
            // Its failing changes nothing: the scan removes what is left over.
            for item in items { _ = try? remove(item) }
            throw error
        }
    }

    private struct TemporaryFile {
        let item: Item
        let facts: FileFacts
        let hasRecord: Bool
    }

    /// Writes everything and closes the file, whatever happens; leaves none if it fails.
    private func writeTemporary(
        _ bytes: [UInt8],
        record: [UInt8]? = nil,
        at time: Int,
        _ durability: DiskDurability
    ) throws(FileFailure) -> TemporaryFile {
        let (item, file) = try createTemporary()
        defer { close(file) }
        return try guarding([item]) { () throws(FileFailure) in
            try writeAll(bytes, to: file)
            // No attributes here, or no room for one: a sidecar takes its place. What else may be
            // wrong shows at the next step.
            let hasRecord = record.map { (try? calls.setAttribute(file, $0)) != nil } ?? false
            var facts = try FileFacts.of(file)
            // It was written just now, which is what a clock that is right says.
            if facts.modified != time {
                setTime(time, of: file)
                facts = try FileFacts.of(file)
            }
            if durability == .everyStore { try calls.synchronise(file) }
            return TemporaryFile(item: item, facts: facts, hasRecord: hasRecord)
        }
    }

    /// Under a name that nobody can foresee; another one if it should be taken all the same.
    private func createTemporary() throws(FileFailure) -> (item: Item, file: Int32) {
        var hasMade = false
        var missingFolder: FileFailure?
        var tries = 8
        while true {
            let item = Item.temporary(Self.temporaryName())
            do {
                return (item, try calls.create(path(of: item)))
            } catch  where error.code == ENOENT && !hasMade {
                hasMade = true
                missingFolder = make()
            } catch  where error.code == EEXIST && tries > 1 {
                tries -= 1
            } catch {
                throw error.isMissing ? missingFolder ?? error : error
            }
        }
    }

    /// 128 bits, half of them by chance for each process: neither a process of the same number nor anybody
    /// else has had the name.
    private static func temporaryName() -> String {
        let number = temporaryCount.withLock { count in
            count += 1
            return count
        }
        return temporaryPrefix + MessageDigest(high: ownPart, low: number).hexadecimal
    }

    private static let ownPart = UInt64.random(in: 0...UInt64.max)
    private static let temporaryCount = Protected<UInt64>(0)

    func writeAll(_ bytes: [UInt8], to file: Int32) throws(FileFailure) {
        var written = 0
        while written < bytes.count {
            let result: Result<Int, FileFailure> = bytes.withUnsafeBytes { buffer in
                let rest = UnsafeRawBufferPointer(rebasing: buffer[written...])
                return Result { () throws(FileFailure) in try calls.write(file, rest) }
            }
            written += try result.get()
        }
    }

    private func setTime(_ time: Int, of file: Int32) {
        var times = [timespec(tv_sec: time, tv_nsec: 0), timespec(tv_sec: time, tv_nsec: 0)]
        futimens(file, &times)
    }

    /// Without it a rename is not on the disk even if the file is.
    private func synchroniseNames() throws(FileFailure) {
        let name = FileText.path(path)
        let file = retryingOnInterrupt { open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard file >= 0 else { throw .last("open") }
        defer { close(file) }
        try calls.synchronise(file)
    }
}

extension CacheDirectory {
    /// New metadata for an entry that is on the disk.
    struct Amendment: Sendable {
        let name: EntryName
        let owner: MessageDigest
        let metadata: [UInt8]
        let time: Int
        let durability: DiskDurability
    }

    /// Replaces an entry's metadata; leaves its bytes and its time of last use alone.
    ///
    /// Returns the bytes of blocks its sidecar takes, or nil if nothing was replaced: there is no
    /// such entry, or it is another URL's or damaged, which the next look-up finds out. If the new
    /// record can't be written the old one stays.
    func amend(
        _ amendment: Amendment,
        maximumByteCount: Int
    ) throws(FileFailure) -> Int? {
        try admit()
        let result = try? FileReading.withFile(
            at: path(of: .entry(amendment.name)),
            followsLinks: false
        ) { file, facts throws(FileReading.Problem) in
            guard
                let record = try amended(
                    by: amendment,
                    in: file,
                    facts,
                    maximumByteCount: maximumByteCount
                )
            else { return Result<Int?, FileFailure>.success(nil) }
            return Result { () throws(FileFailure) in
                try replaceRecord(with: record.encoded(), in: file, amendment)
            }
        }
        return try result?.get() ?? nil
    }

    /// The record as it shall be; an entry of version 1 gets its first.
    private func amended(
        by amendment: Amendment,
        in file: Int32,
        _ facts: FileFacts,
        maximumByteCount: Int
    ) throws(FileReading.Problem) -> EntryRecord? {
        guard isOurs(facts) else { return nil }
        guard let encoded = record(of: amendment.name, in: file) else {
            let bytes = try FileReading.contents(
                of: file,
                facts,
                maximumByteCount: maximumByteCount
            )
            let entry = DiskEntry(bytes: bytes, metadata: amendment.metadata)
            return EntryRecord(of: entry, owner: amendment.owner)
        }
        guard var record = EntryRecord(decoding: encoded), record.owner == amendment.owner else {
            return nil
        }
        record.metadata = amendment.metadata
        return record
    }

    /// The attribute is set on the open file, so the record stays with the bytes it describes even
    /// if another process gives the name to another file at this moment.
    ///
    /// A sidecar that takes over is written before the attribute goes, since that is read first.
    private func replaceRecord(
        with record: [UInt8],
        in file: Int32,
        _ amendment: Amendment
    ) throws(FileFailure) -> Int {
        if (try? calls.setAttribute(file, record)) != nil {
            if amendment.durability == .everyStore { try calls.synchronise(file) }
            _ = try? remove(.sidecar(amendment.name))
            return 0
        }
        let byteCount = try writeSidecar(
            record,
            of: amendment.name,
            at: amendment.time,
            amendment.durability
        )
        FileAttribute.remove(from: file)
        return byteCount
    }
}
