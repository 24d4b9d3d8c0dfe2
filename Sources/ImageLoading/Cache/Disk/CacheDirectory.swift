internal import Glibc

/// The files of a disk cache.
///
/// Blocks; no state but the path.
///
///     CACHEDIR.TAG                              keeps backups out
///     leases.lock                               what is locked by whom (see `LockFile`)
///     c7529f60e5cf8d1f19442a9a57f22e5a.jpg      a body, byte for byte
///     part-c7529f60e5cf8d1f19442a9a57f22e5a.jpg part of one
///     image-09ac77e1-c7529f60e5cf8d1f19442a9a57f22e5a.jpg
///                                               a processed image (see `EncodedImage`); the
///                                               extension is still that of the URL
///     meta-…                                    the record of one of these (see `EntryRecord`),
///                                               if the file itself can't carry it
///     tmp-1f0c…                                 a file being written: a name by chance, so that
///                                               nobody can take it first
///
/// Touches nothing that has another form of name, follows no symbolic link, never leaves the
/// directory. Believes no file of another user, and nothing at all in a directory that others can
/// write.
struct CacheDirectory: Sendable {
    /// Something of ours in the directory.
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

    /// `UTIME_OMIT`, a macro that does not come through: leave this time as it is.
    private var omitTime: Int { (1 << 30) - 2 }

    static let temporaryPrefix = "tmp-"
    static let sidecarPrefix = "meta-"

    let path: String
    var calls = FileCalls()
    /// Whether what other users put there is meant to be believed: a cache that came with a program.
    var isForeign = false

    func path(of item: Item) -> String { "\(path)/\(item.name)" }

    func facts(of item: Item) throws(FileFailure) -> FileFacts {
        try FileFacts.of(path(of: item))
    }

    /// Notes that a file was used; without that the order of eviction would be the order of
    /// writing.
    ///
    /// In the time of modification: reads are not noted by most file systems, which are mounted
    /// with `relatime`, and there is no other date that can be set. Best effort.
    func touch(_ name: EntryName, at time: Int) {
        var times = [timespec(), timespec()]
        times[0].tv_nsec = omitTime
        times[1].tv_sec = time
        let path = FileText.path(path(of: .entry(name)))
        utimensat(AT_FDCWD, path, &times, AT_SYMLINK_NOFOLLOW)
    }

    /// Deletes a file; whether there was one.
    func remove(_ item: Item) throws(FileFailure) -> Bool {
        try calls.remove(path(of: item))
    }

    /// The names of all files of ours; none if there is no directory.
    func items() throws(FileFailure) -> [Item] {
        try admit()
        do {
            return try calls.list(path).compactMap(Item.init(name:))
        } catch  where error.isMissing {
            return []
        }
    }

    /// Throws where nothing may be read or written.
    func admit() throws(FileFailure) {
        if !isForeign { try calls.admit(path) }
    }

    /// Whether a file is to be believed.
    func isOurs(_ facts: FileFacts) -> Bool { isForeign || facts.owner == calls.user }

    /// Makes the directory and those above it, only for the user as XDG wants it, and its tag.
    ///
    /// Failures show at the next attempt to make a file in it; returns why there is no directory.
    @discardableResult
    func make() -> FileFailure? {
        let errorNumber = UserFolders.make(path)
        guard errorNumber == 0 else {
            return FileFailure(operation: "make folder", code: errorNumber)
        }
        let text = """
            Signature: 8a477f597d28d172789f06886806bc55
            # Pictures from the network that can be fetched again; see https://bford.info/cachedir/

            """
        guard let file = try? calls.create("\(path)/CACHEDIR.TAG") else { return nil }
        defer { close(file) }
        // Without its text it is no tag: nothing but a backup that takes longer.
        _ = try? writeAll(Array(text.utf8), to: file)
        return nil
    }
}

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
        /// A URL whose file has the same name.
        case ofAnotherURL
        /// Put there by somebody else.
        case ofAnotherUser
    }

    /// Reads an entry and checks it (which takes 72 µs for each MiB).
    ///
    /// A file without a record is damaged: nothing shows whether it is complete. Only a directory that
    /// came with a program may have plain bodies.
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

    /// What an entry's record says, without a look at the bytes themselves; nil if there is no such
    /// entry of this owner, or if the two don't fit at first sight.
    func description(
        of name: EntryName,
        owner: MessageDigest
    ) -> (record: EntryRecord, facts: FileFacts)? {
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

    /// The encoded record of an open entry; nil if it has none.
    func record(of name: EntryName, in file: Int32) -> [UInt8]? {
        FileAttribute.value(of: file) ?? sidecar(of: name)
    }

    private func sidecar(of name: EntryName) -> [UInt8]? {
        // Unreadable is as good as not there: the entry is then one of version 1, or a miss.
        let found = try? FileReading.contents(
            of: path(of: .sidecar(name)),
            maximumByteCount: EntryRecord.maximumByteCount,
            followsLinks: false
        )
        return found.flatMap { isOurs($0.facts) ? $0.bytes : nil }
    }
}
