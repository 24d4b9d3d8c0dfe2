internal import CImageCodecs

/// The data of all IDAT chunks of a file, which together form one zlib stream.
///
/// The bytes of the file are not copied. No list of the chunks is kept, because an untrusted file
/// may contain millions of empty chunks.
struct PNGImageData {
    private static let type = PNGChunk.type("IDAT")

    /// The number of bytes in the stream.
    let byteCount: Int
    /// The offset of the first chunk after the data, or of the end of the file.
    let end: Int
    private let bytes: UnsafeBufferPointer<UInt8>
    private let start: Int
    /// The range of the data if it is in a single chunk; otherwise nil.
    private let onlyRange: Range<Int>?

    /// Finds the consecutive IDAT chunks starting at `start`; returns nil if the file ends inside a
    /// chunk.
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

    /// Whether another chunk follows the data.
    ///
    /// If not, the file may have been truncated between two IDAT chunks.
    var isFollowed: Bool { PNGChunk(at: end, in: bytes) != nil }

    /// Whether the checksums of all chunks are correct.
    var isIntact: Bool {
        var offset = start
        while offset < end {
            guard let chunk = chunk(at: &offset), isIntact(chunk) else { return false }
        }
        return true
    }

    /// Returns the data of the chunk at `offset` and moves `offset` to the next chunk.
    ///
    /// Returns nil at the end, or if the chunk is damaged. `offset` must be 0 in the first call.
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

    /// Returns whether the window declared in `header`, the first byte of the stream, is large
    /// enough (RFC 1950, CINFO).
    ///
    /// `byteCount` is the number of inflated bytes. If the window is large enough, no distance can
    /// be longer than declared. zlib rejects longer distances; libdeflate does not check them.
    static func windowCovers(_ byteCount: Int, header: UInt8) -> Bool {
        let windowBitCount = Int(header >> 4) + 8
        return windowBitCount >= 15 || byteCount <= 1 << windowBitCount
    }

    /// Returns the result of calling `body` with the stream as one buffer.
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
