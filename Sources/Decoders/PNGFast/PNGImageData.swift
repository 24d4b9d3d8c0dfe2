internal import CImageCodecs

/// The data of all IDAT chunks of a file, which together are one zlib stream.
///
/// Borrows the file's bytes. Holds no list of chunks: a hostile file has millions of empty ones.
struct PNGImageData {
    private static let type = PNGChunk.type("IDAT")

    /// The bytes of the stream.
    let byteCount: Int
    /// Where the first chunk of another type starts, or the file ends.
    let end: Int
    private let bytes: UnsafeBufferPointer<UInt8>
    private let start: Int
    /// The only chunk that has data.
    private let onlyRange: Range<Int>?

    /// Finds the chunks that follow each other from `start` on; nil if the file ends inside of one.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
        var (count, end, lastRange) = (0, start, 0..<0)
        while let chunk = PNGChunk(at: end, in: bytes), chunk.type == Self.type {
            guard chunk.end <= bytes.count else { return nil }
            if !chunk.data.isEmpty { lastRange = chunk.data }
            count += chunk.data.count
            end = chunk.end
        }
        byteCount = count
        self.end = end
        self.bytes = bytes
        self.start = start
        onlyRange = lastRange.count == count ? lastRange : nil
    }

    /// The bytes that `withStream` holds on top of the file's.
    var copyByteCount: Int { onlyRange == nil ? byteCount : 0 }

    /// Whether another chunk follows: else the file may end in the middle of the data, between two
    /// chunks.
    var isFollowed: Bool { PNGChunk(at: end, in: bytes) != nil }

    /// Whether every chunk has the checksum it says.
    var isIntact: Bool {
        var offset = start
        while offset < end {
            guard let chunk = chunk(at: &offset), isIntact(chunk) else { return false }
        }
        return true
    }

    /// The data of the chunk at `offset`, which moves on to the next; nil at the end and if they are
    /// damaged.
    ///
    /// `offset` is 0 at first.
    func intactData(at offset: inout Int) -> UnsafeBufferPointer<UInt8>? {
        if offset == 0 { offset = start }
        guard offset < end, let chunk = chunk(at: &offset), isIntact(chunk) else { return nil }
        return UnsafeBufferPointer(rebasing: bytes[chunk.data])
    }

    private func chunk(at offset: inout Int) -> PNGChunk? {
        let chunk = PNGChunk(at: offset, in: bytes)
        offset = chunk?.end ?? end
        return chunk
    }

    private func isIntact(_ chunk: PNGChunk) -> Bool {
        // Over the type and the data.
        let checked = UnsafeBufferPointer(
            rebasing: bytes[(chunk.data.lowerBound - 4)..<chunk.data.upperBound]
        )
        let sum = checked.baseAddress.map { cic_crc32(0, $0, checked.count) }
        return sum == PNGChunk.number(at: chunk.data.upperBound, in: bytes)
    }

    /// Whether the stream, which starts with `header`, can hold distances no longer than it says
    /// (RFC 1950, CINFO), for so many bytes: zlib refuses longer ones, libdeflate doesn't look.
    static func windowCovers(_ byteCount: Int, header: UInt8) -> Bool {
        let windowBitCount = Int(header >> 4) + 8
        return windowBitCount >= 15 || byteCount <= 1 << windowBitCount
    }

    /// Hands out the stream in one piece.
    func withStream<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let onlyRange { return body(UnsafeBufferPointer(rebasing: bytes[onlyRange])) }
        var joined: [UInt8] = []
        joined.reserveCapacity(byteCount)
        var offset = start
        while offset < end, let chunk = chunk(at: &offset) {
            joined.append(contentsOf: bytes[chunk.data])
        }
        return joined.withUnsafeBufferPointer(body)
    }
}
