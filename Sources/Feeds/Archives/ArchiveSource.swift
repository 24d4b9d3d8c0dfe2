internal import ImageLoading
internal import SystemSupport

/// A source of an archive's bytes, such as a local file or a server.
package protocol ArchiveSource {
    /// Returns `count` bytes starting at an offset, or fewer only at the end of the archive.
    func read(at offset: Int, count: Int) throws(FeedError) -> [UInt8]

    /// The number of bytes to request at once when reading headers.
    var blockByteCount: Int { get }

    /// The number of bytes to request at once if headers are so close together that reading the
    /// bytes between them costs less than another request.
    var longBlockByteCount: Int { get }

    /// The maximum number of reading steps for one piece of the directory; a step usually reads one
    /// header.
    var stepCount: Int { get }

    /// The reason the bytes end early, as a phrase that completes "the archive …", or nil if they
    /// do not end early.
    var fault: String? { get }
}

extension ArchiveSource {
    /// The default block size: a memory page of 4 KiB.
    ///
    /// A larger size is not needed, because the bytes between headers are not read.
    package var blockByteCount: Int { 4 << 10 }

    package var longBlockByteCount: Int { blockByteCount }

    /// The default number of steps: 1,000, so the first images appear after 10 ms.
    package var stepCount: Int { 1000 }

    package var fault: String? { nil }
}

/// An archive in an open file.
package struct LocalArchive: ArchiveSource {
    package let descriptor: Int32
    package let name: String

    package init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    package func read(at offset: Int, count: Int) throws(FeedError) -> [UInt8] {
        try reading(name) { () throws(FileReading.Problem) in
            try FileReading.read(descriptor, at: offset, count: count)
        }
    }
}

/// An archive that is unpacked as it is read.
package struct PackedArchive: ArchiveSource {
    package let archive: UnpackedArchive
    package let name: String

    package func read(at offset: Int, count: Int) throws(FeedError) -> [UInt8] {
        try reading(name) { () throws(FileReading.Problem) in
            try archive.read(at: offset, count: count)
        }
    }

    package var fault: String? { archive.fault }
}

/// Performs a read and adds the name of the archive to the error if the read fails.
private func reading(
    _ name: String,
    _ read: () throws(FileReading.Problem) -> [UInt8]
) throws(FeedError) -> [UInt8] {
    do throws(FileReading.Problem) {
        return try read()
    } catch {
        switch error {
        case .failure(let failure): throw FeedError(name: name, fault: failure.text)
        case .notRegular, .unexpectedSize: throw FeedError(name: name, fault: "is not a file")
        }
    }
}

/// The part of an archive's bytes that is in memory; it moves with the reading position.
package struct ArchiveWindow<Source: ArchiveSource> {
    package let source: Source
    private var start = 0
    private var bytes: [UInt8] = []
    private var isLast = false
    private var blockByteCount: Int

    package init(_ source: Source) {
        self.source = source
        blockByteCount = source.blockByteCount
    }

    /// Sets the block size for a read at `position`.
    ///
    /// If `position` is at most a short distance after the end of the window (less than half of
    /// `longBlockByteCount`), the block size is doubled, up to `longBlockByteCount`. Otherwise, or
    /// if the window is empty, the block size is reset.
    private mutating func chooseBlock(for position: Int) {
        let isNear = position - (start + bytes.count) < source.longBlockByteCount / 2
        let doubled = min(blockByteCount * 2, source.longBlockByteCount)
        blockByteCount = isNear && !bytes.isEmpty ? doubled : source.blockByteCount
    }

    /// Returns at least `count` bytes starting at a position, or fewer at the end of the archive.
    ///
    /// `isEnd` is true if the returned bytes extend to the end of the archive.
    package mutating func piece(
        from position: Int,
        count: Int
    ) throws(FeedError) -> (bytes: ArraySlice<UInt8>, isEnd: Bool) {
        guard count > 0 else { return ([], false) }
        let end = start + bytes.count
        if position < start || position + count > end && !(isLast && position <= end) {
            chooseBlock(for: position)
            let wanted = max(count, blockByteCount)
            bytes = try source.read(at: position, count: wanted)
            start = position
            isLast = bytes.count < wanted
        }
        return (bytes[(position - start)...], isLast)
    }
}

extension ArchiveWindow: Sendable where Source: Sendable {}
