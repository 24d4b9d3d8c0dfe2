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

    /// Whether every chunk has the checksum it says.
    var isIntact: Bool {
        var offset = start
        while offset < end, let chunk = PNGChunk(at: offset, in: bytes) {
            // Over the type and the data.
            let checked = UnsafeBufferPointer(
                rebasing: bytes[(offset + 4)..<chunk.data.upperBound]
            )
            let sum = checked.baseAddress.map { cic_crc32(0, $0, checked.count) }
            guard sum == PNGChunk.number(at: chunk.data.upperBound, in: bytes) else {
                return false
            }
            offset = chunk.end
        }
        return true
    }

    /// Hands out the stream in one piece.
    func withStream<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let onlyRange { return body(UnsafeBufferPointer(rebasing: bytes[onlyRange])) }
        var joined: [UInt8] = []
        joined.reserveCapacity(byteCount)
        var offset = start
        while offset < end, let chunk = PNGChunk(at: offset, in: bytes) {
            joined.append(contentsOf: bytes[chunk.data])
            offset = chunk.end
        }
        return joined.withUnsafeBufferPointer(body)
    }
}
