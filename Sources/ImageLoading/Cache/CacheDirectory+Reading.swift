extension CacheDirectory {
    /// An entry as it lies on the disk, checked against its record.
    struct Found: Sendable {
        let entry: DiskEntry
        let facts: FileFacts
    }

    enum ReadingProblem: Error, Hashable {
        case file(FileReading.Problem)
        /// Not the bytes that were stored, or no longer whole.
        case damaged
        /// A URL whose file has the same name (row E7).
        case ofAnotherURL
    }

    /// Reads an entry and checks it (which takes 72 µs for each MiB).
    ///
    /// A body without any record is one of version 1, which is taken as it is.
    func read(
        _ name: EntryName,
        owner: MessageDigest,
        maximumByteCount: Int
    ) throws(ReadingProblem) -> Found {
        let (bytes, facts, record) = try contents(of: name, maximumByteCount: maximumByteCount)
        guard !bytes.isEmpty, bytes.count == facts.byteCount else { throw .damaged }
        guard let record else {
            guard name.kind == .body else { throw .damaged }
            return Found(entry: DiskEntry(bytes: bytes), facts: facts)
        }
        guard let record = EntryRecord(decoding: record) else { throw .damaged }
        guard record.owner == owner else { throw .ofAnotherURL }
        guard record.describes(bytes) else { throw .damaged }
        return Found(entry: DiskEntry(bytes: bytes, metadata: record.metadata), facts: facts)
    }

    /// Bytes and attribute are read from one open file, so that they belong together even if the
    /// name changes hands meanwhile.
    private func contents(
        of name: EntryName,
        maximumByteCount: Int
    ) throws(ReadingProblem) -> (bytes: [UInt8], facts: FileFacts, record: [UInt8]?) {
        do {
            return try FileReading.withFile(
                at: path(of: .entry(name)),
                followsLinks: false
            ) { file, facts throws(FileReading.Problem) in
                let bytes = try FileReading.contents(
                    of: file,
                    facts,
                    maximumByteCount: maximumByteCount
                )
                return (bytes, facts, record(of: name, in: file))
            }
        } catch .unexpectedSize {
            throw .damaged
        } catch {
            throw .file(error)
        }
    }

    /// The encoded record of an open entry; nil if it has none.
    func record(of name: EntryName, in file: Int32) -> [UInt8]? {
        FileAttribute.value(of: file) ?? sidecar(of: name)
    }

    private func sidecar(of name: EntryName) -> [UInt8]? {
        // Unreadable is as good as not there: the entry is then one of version 1, or a miss.
        try? FileReading.contents(
            of: path(of: .sidecar(name)),
            maximumByteCount: EntryRecord.maximumByteCount,
            followsLinks: false
        ).bytes
    }
}
