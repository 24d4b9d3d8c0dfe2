internal import CImageCodecs

/// The data of all IDAT chunks of a file, which together are one zlib stream.
///
/// The value borrows the bytes of the file. It does not store a list of chunks, because an
/// untrusted file may contain millions of empty chunks.
struct PNGImageData {
    private static let type = PNGChunk.type("IDAT")

    /// The number of bytes of the stream.
    let byteCount: Int
    /// The offset of the first chunk of another type, or of the end of the file.
    let end: Int
    private let bytes: UnsafeBufferPointer<UInt8>
    private let start: Int
    /// The range of the data if only one chunk contains data; nil if several chunks do.
    private let onlyRange: Range<Int>?

    /// Creates the data of the consecutive IDAT chunks starting at `start`; returns nil if the file
    /// ends inside a chunk.
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

    /// The number of bytes that `withStream` copies.
    var copyByteCount: Int { onlyRange == nil ? byteCount : 0 }

    /// Whether another chunk follows.
    ///
    /// If no chunk follows, the file may have been truncated between two IDAT chunks.
    var isFollowed: Bool { PNGChunk(at: end, in: bytes) != nil }

    /// Whether the checksums of all chunks are correct.
    var isIntact: Bool {
        var offset = start
        while offset < end {
            guard let chunk = chunk(at: &offset), isIntact(chunk) else { return false }
        }
        return true
    }

    /// Returns the data of the chunk at `offset` and moves `offset` to the next chunk; returns nil
    /// at the end or if the chunk is damaged.
    ///
    /// `offset` must be 0 in the first call.
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
        // The checksum covers the type and the data.
        let checked = UnsafeBufferPointer(
            rebasing: bytes[(chunk.data.lowerBound - 4)..<chunk.data.upperBound]
        )
        let sum = checked.baseAddress.map { cic_crc32(0, $0, checked.count) }
        return sum == PNGChunk.number(at: chunk.data.upperBound, in: bytes)
    }

    /// Returns whether a stream of `byteCount` inflated bytes cannot contain longer distances than
    /// its first byte, `header`, declares (RFC 1950, CINFO).
    ///
    /// zlib rejects longer distances; libdeflate does not check them.
    static func windowCovers(_ byteCount: Int, header: UInt8) -> Bool {
        let windowBitCount = Int(header >> 4) + 8
        return windowBitCount >= 15 || byteCount <= 1 << windowBitCount
    }

    /// Calls `body` with the stream as one buffer, and returns the result.
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
