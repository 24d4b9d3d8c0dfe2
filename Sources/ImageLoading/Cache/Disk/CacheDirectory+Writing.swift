internal import Glibc
internal import SystemSupport

extension CacheDirectory {
    /// An entry to write and the properties of its files.
    struct Draft: Sendable {
        let name: EntryName
        let entry: DiskEntry
        let owner: MessageDigest
        /// The file's modification time, in seconds since 1970; it records when the entry was last
        /// used.
        let time: Int
        let durability: DiskDurability
        /// Whether the entry may have a sidecar, a separate file for its record.
        var mayHaveSidecar = true
    }

    /// The properties of the files that `write` created for an entry.
    struct Written: Sendable {
        let facts: FileStatus
        /// The allocated size of the sidecar in bytes; 0 if the record is an attribute of the
        /// body's file.
        let sidecarByteCount: Int
    }

    /// Writes an entry atomically: writes a temporary file in the same directory, then renames it.
    ///
    /// The record is set as an attribute of the temporary file, so body and record appear together.
    /// If the attribute cannot be set, the record is written to a sidecar, a separate file. The
    /// sidecar is renamed before the body. If the process crashes between the two renames, the new
    /// record is paired with the old body or with none. The old body does not match the record, so
    /// lookups count as misses. Without a body, the sidecar is an orphan that a scan deletes.
    ///
    /// Creates the directory if it does not exist.
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
        // A sidecar from an earlier body may remain. It would never be read and would only waste
        // space.
        if body.hasRecord, draft.mayHaveSidecar { _ = try? remove(.sidecar(draft.name)) }
        if draft.durability == .everyStore { try synchronizeNames() }
        return Written(facts: body.facts, sidecarByteCount: sidecarByteCount)
    }

    /// Writes a record to a sidecar and returns the sidecar's allocated size in bytes.
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

    /// Runs `body` and deletes `items` if it throws.
    private func guarding<Result>(
        _ items: [Item],
        _ body: () throws(FileFailure) -> Result
    ) throws(FileFailure) -> Result {
        do {
            return try body()
        } catch {
            // A failure to delete is harmless, because the next scan removes remaining files.
            for item in items { _ = try? remove(item) }
            throw error
        }
    }

    private struct TemporaryFile {
        let item: Item
        let facts: FileStatus
        let hasRecord: Bool
    }

    /// Writes and closes a temporary file; deletes it if writing fails.
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
            // If the file system does not support attributes or has no room for the record, a
            // sidecar is written instead. Any other problem makes the next step fail.
            let hasRecord = record.map { (try? calls.setAttribute(file, $0)) != nil } ?? false
            var facts = try FileStatus.of(file)
            // The file was written just now, so the times differ only if a clock is wrong.
            if facts.modified != time {
                setTime(time, of: file)
                facts = try FileStatus.of(file)
            }
            if durability == .everyStore { try calls.synchronize(file) }
            return TemporaryFile(item: item, facts: facts, hasRecord: hasRecord)
        }
    }

    /// Creates a temporary file with an unpredictable name.
    ///
    /// If the name is taken, tries other names, up to 8 in total. Creates the directory if it is
    /// missing.
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

    /// Returns a 128-bit name: 64 random bits, chosen once per process, and a 64-bit counter.
    ///
    /// The name is unique across processes, even if a process ID is reused.
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

    /// Calls `fsync` on the directory.
    ///
    /// Without this call, a power failure can undo a rename even if the file's content is on the
    /// disk.
    private func synchronizeNames() throws(FileFailure) {
        let name = FileText.path(path)
        let file = retryingOnInterrupt { open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard file >= 0 else { throw .last("open") }
        defer { close(file) }
        try calls.synchronize(file)
    }
}

extension CacheDirectory {
    /// New metadata for an entry on the disk.
    struct Amendment: Sendable {
        let name: EntryName
        let owner: MessageDigest
        let metadata: [UInt8]
        let time: Int
        let durability: DiskDurability
    }

    /// Replaces an entry's metadata; its bytes and its time of last use do not change.
    ///
    /// Returns the allocated size of the sidecar in bytes, or nil if the entry does not exist,
    /// belongs to another URL, or is damaged. In that case, nothing is replaced, and the next
    /// lookup detects the problem. If the new record cannot be written, the old record remains.
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

    /// Returns the record with the new metadata, or nil if the entry belongs to another user or
    /// another URL.
    ///
    /// Version 1 of the disk cache stored entries without a record. Such an entry gets its first
    /// record.
    private func amended(
        by amendment: Amendment,
        in file: Int32,
        _ facts: FileStatus,
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

    /// Replaces the record of an open file and returns the allocated size of its sidecar in bytes.
    ///
    /// The attribute is set on the open file, so the record stays with the right bytes even if
    /// another process replaces the file at the same time.
    ///
    /// If the attribute cannot be set, the record is written to a sidecar. The old attribute is
    /// then removed, because lookups read the attribute first.
    private func replaceRecord(
        with record: [UInt8],
        in file: Int32,
        _ amendment: Amendment
    ) throws(FileFailure) -> Int {
        if (try? calls.setAttribute(file, record)) != nil {
            if amendment.durability == .everyStore { try calls.synchronize(file) }
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
