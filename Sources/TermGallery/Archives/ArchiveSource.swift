import GalleryCore
import ImageLoading

/// The bytes of an archive, wherever they are.
protocol ArchiveSource {
    /// Bytes from an offset on; fewer only at the end.
    func read(at offset: Int, count: Int) throws(FeedError) -> [UInt8]

    /// So many bytes are asked for at once where headers stand.
    var blockByteCount: Int { get }

    /// And so many where one header follows closely on another: what lies between costs less than asking
    /// once more.
    var longBlockByteCount: Int { get }

    /// So many headers make a piece of its directory.
    var stepCount: Int { get }

    /// Why its bytes end before their end; the text finishes "the archive …".
    var fault: String? { get }
}

extension ArchiveSource {
    /// A page: what lies between headers need not be read.
    var blockByteCount: Int { 4 << 10 }

    var longBlockByteCount: Int { blockByteCount }

    /// What is found shows after a hundredth of a second.
    var stepCount: Int { 1000 }

    var fault: String? { nil }
}

/// An archive in a file that is open.
struct LocalArchive: ArchiveSource {
    let descriptor: Int32
    let name: String

    func read(at offset: Int, count: Int) throws(FeedError) -> [UInt8] {
        try reading(name) { () throws(FileReading.Problem) in
            try FileReading.read(descriptor, at: offset, count: count)
        }
    }
}

/// An archive that is unpacked as it is read.
struct PackedArchive: ArchiveSource {
    let archive: UnpackedArchive
    let name: String

    func read(at offset: Int, count: Int) throws(FeedError) -> [UInt8] {
        try reading(name) { () throws(FileReading.Problem) in
            try archive.read(at: offset, count: count)
        }
    }

    var fault: String? { archive.fault }
}

/// Says of which archive it was if its bytes can't be read.
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

/// A piece of an archive in memory, which moves on with who reads it.
struct ArchiveWindow<Source: ArchiveSource> {
    let source: Source
    private var start = 0
    private var bytes: [UInt8] = []
    private var isLast = false
    private var blockByteCount: Int

    init(_ source: Source) {
        self.source = source
        blockByteCount = source.blockByteCount
    }

    /// Twice as much as before where so little is skipped that it might have come as well.
    private mutating func chooseBlock(for position: Int) {
        let isNear = position - (start + bytes.count) < source.longBlockByteCount / 2
        let doubled = min(blockByteCount * 2, source.longBlockByteCount)
        blockByteCount = isNear && !bytes.isEmpty ? doubled : source.blockByteCount
    }

    /// `count` bytes or more from a position on; fewer only at the end, which it says.
    mutating func piece(
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
