internal import Glibc
internal import SystemSupport

/// The files of a disk cache.
///
/// All methods block. No information about the files is kept in memory.
///
///     CACHEDIR.TAG                              excludes the directory from backups
///     leases.lock                               locks shared by processes (see `LockFile`)
///     c7529f60e5cf8d1f19442a9a57f22e5a.jpg      a body, byte for byte
///     part-c7529f60e5cf8d1f19442a9a57f22e5a.jpg a partial body
///     image-09ac77e1-c7529f60e5cf8d1f19442a9a57f22e5a.jpg
///                                               a processed image (see `EncodedImage`); keeps the
///                                               file name extension of the URL
///     meta-…                                    a sidecar: the record of an entry, if the file
///                                               itself cannot carry it (see `EntryRecord`)
///     tmp-1f0c…                                 a file that is being written; its random name
///                                               prevents others from creating it first
///
/// Files with other names are ignored, symbolic links are not followed, and nothing outside the
/// directory is accessed. Files of other users are not trusted. If other users can write to the
/// directory, none of its files are trusted.
struct CacheDirectory: Sendable {
    /// A file in the directory that belongs to the cache.
    enum Item: Hashable, Sendable {
        case entry(EntryName)
        case sidecar(EntryName)
        case temporary(String)

        init?(name: String) {
            if let entry = EntryName(parsing: name) {
                self = .entry(entry)
            } else if name.hasPrefix(CacheDirectory.sidecarPrefix) {
                let owner = name.dropFirst(CacheDirectory.sidecarPrefix.count)
                guard let entry = EntryName(parsing: String(owner)) else { return nil }
                self = .sidecar(entry)
            } else if name.hasPrefix(CacheDirectory.temporaryPrefix),
                name.utf8.allSatisfy({ ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "-") })
            {
                self = .temporary(name)
            } else {
                return nil
            }
        }

        var name: String {
            switch self {
            case .entry(let name): name.description
            case .sidecar(let name): CacheDirectory.sidecarPrefix + name.description
            case .temporary(let name): name
            }
        }
    }

    /// The value of the `UTIME_OMIT` macro, which leaves a timestamp unchanged.
    ///
    /// Swift does not import the macro.
    private var omitTime: Int { (1 << 30) - 2 }

    static let temporaryPrefix = "tmp-"
    static let sidecarPrefix = "meta-"

    let path: String
    var calls = FileCalls()
    /// Whether files of other users are trusted, as in a cache installed with a program.
    var isForeign = false

    func path(of item: Item) -> String { "\(path)/\(item.name)" }

    func facts(of item: Item) throws(FileFailure) -> FileStatus {
        try FileStatus.of(path(of: item))
    }

    /// Records a use of an entry by setting the modification time of its file.
    ///
    /// Without these times, entries would be evicted in the order they were written. The access
    /// time is unsuitable: most file systems are mounted with `relatime` and do not update it on
    /// every read. Errors are ignored.
    func touch(_ name: EntryName, at time: Int) {
        var times = [timespec(), timespec()]
        times[0].tv_nsec = omitTime
        times[1].tv_sec = time
        let path = FileText.path(path(of: .entry(name)))
        utimensat(AT_FDCWD, path, &times, AT_SYMLINK_NOFOLLOW)
    }

    /// Deletes a file and returns whether it existed.
    func remove(_ item: Item) throws(FileFailure) -> Bool {
        try calls.remove(path(of: item))
    }

    /// Returns all files of the cache, or an empty list if the directory does not exist.
    func items() throws(FileFailure) -> [Item] {
        try admit()
        do {
            return try calls.list(path).compactMap(Item.init(name:))
        } catch  where error.isMissing {
            return []
        }
    }

    /// Throws an error if other users can write to the directory, or if its permissions cannot be
    /// read.
    ///
    /// If `isForeign` is true, the method accepts every directory.
    func admit() throws(FileFailure) {
        if !isForeign { try calls.admit(path) }
    }

    /// Returns whether a file is trusted.
    ///
    /// A file is trusted if it belongs to this user or `isForeign` is true.
    func isOurs(_ facts: FileStatus) -> Bool { isForeign || facts.owner == calls.user }

    /// Creates the directory, its missing parents and its `CACHEDIR.TAG` file.
    ///
    /// As XDG requires, only the user can access them. Returns the error if the directory cannot be
    /// created. Other errors appear when a file is created in the directory.
    @discardableResult
    func make() -> FileFailure? {
        let errorNumber = UserFolders.make(path)
        guard errorNumber == 0 else {
            return FileFailure(operation: "make folder", code: errorNumber)
        }
        let text = """
            Signature: 8a477f597d28d172789f06886806bc55
            # Images from the network that can be fetched again; see https://bford.info/cachedir/

            """
        guard let file = try? calls.create("\(path)/CACHEDIR.TAG") else { return nil }
        defer { close(file) }
        // Without its text, the tag is invalid, which only makes backups take longer.
        _ = try? writeAll(Array(text.utf8), to: file)
        return nil
    }
}

extension CacheDirectory {
    /// An entry that was read from the disk and matches its record.
    struct Found: Sendable {
        let entry: DiskEntry
        let facts: FileStatus
    }

    enum ReadingProblem: Error, Hashable {
        case file(FileReading.Problem)
        /// The bytes are incomplete, or the record is missing, invalid, or does not match the
        /// bytes.
        case damaged
        /// The file belongs to another URL with the same file name.
        case ofAnotherURL
        /// The file belongs to another user.
        case ofAnotherUser
    }

    /// Reads an entry and verifies its checksum; the verification takes 72 µs per MiB.
    ///
    /// Version 1 of the disk cache stored bodies without a record. In a configured read-only
    /// directory, such a body is returned unverified. In the cache's own directory, it counts as
    /// damaged.
    func read(
        _ name: EntryName,
        owner: MessageDigest,
        maximumByteCount: Int
    ) throws(ReadingProblem) -> Found {
        do {
            try admit()
        } catch {
            throw .file(.failure(error))
        }
        let (bytes, facts, record) = try contents(of: name, maximumByteCount: maximumByteCount)
        guard isOurs(facts) else { throw .ofAnotherUser }
        guard !bytes.isEmpty, bytes.count == facts.byteCount else { throw .damaged }
        guard let record else {
            guard isForeign, name.kind == .body else { throw .damaged }
            return Found(entry: DiskEntry(bytes: bytes), facts: facts)
        }
        guard let record = EntryRecord(decoding: record) else { throw .damaged }
        guard record.owner == owner else { throw .ofAnotherURL }
        guard record.describes(bytes) else { throw .damaged }
        return Found(entry: DiskEntry(bytes: bytes, metadata: record.metadata), facts: facts)
    }

    /// Returns the bytes, the file properties and the record of an entry.
    ///
    /// The bytes and the attribute that contains the record are read from the same open file, so
    /// they match even if the file is replaced during the read.
    private func contents(
        of name: EntryName,
        maximumByteCount: Int
    ) throws(ReadingProblem) -> (bytes: [UInt8], facts: FileStatus, record: [UInt8]?) {
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

    /// Returns the record and the file properties of an entry without reading its bytes.
    ///
    /// Returns nil if the entry does not exist or belongs to another URL, or if the record does not
    /// match the file's length. `owner` is the digest of the URL.
    func description(
        of name: EntryName,
        owner: MessageDigest
    ) -> (record: EntryRecord, facts: FileStatus)? {
        try? FileReading.withFile(
            at: path(of: .entry(name)),
            followsLinks: false
        ) { file, facts throws(FileReading.Problem) in
            guard isOurs(facts),
                let record = record(of: name, in: file).flatMap(EntryRecord.init(decoding:)),
                record.owner == owner, Int(record.content.byteCount) == facts.byteCount
            else { throw .unexpectedSize }
            return (record, facts)
        }
    }

    /// Returns the encoded record of an open entry, or nil if it has none.
    func record(of name: EntryName, in file: Int32) -> [UInt8]? {
        FileAttribute.value(of: file) ?? sidecar(of: name)
    }

    private func sidecar(of name: EntryName) -> [UInt8]? {
        // An unreadable sidecar is treated as missing, so the entry has no record.
        let found = try? FileReading.contents(
            of: path(of: .sidecar(name)),
            maximumByteCount: EntryRecord.maximumByteCount,
            followsLinks: false
        )
        return found.flatMap { isOurs($0.facts) ? $0.bytes : nil }
    }
}
