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
