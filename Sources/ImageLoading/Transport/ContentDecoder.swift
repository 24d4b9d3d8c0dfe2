internal import CZlib

/// Decodes a body with `gzip` or `deflate` content coding (RFC 9110, 8.4.1).
///
/// libcurl's own decoder is not used, because it accepts a truncated compressed body as complete.
/// Use a decoder only on the thread that created it.
package final class ContentDecoder {
    /// The value of the `Accept-Encoding` field: the supported content codings.
    static let offer = "gzip, deflate"

    /// The result of decompressing a chunk of the body.
    package enum Outcome: Hashable {
        case wantsMore
        /// The receiver accepts no more decompressed bytes.
        case refused
        /// The data cannot be decompressed.
        case damaged
    }

    /// The maximum size of a decompressed chunk in bytes.
    ///
    /// The decompressed output of one transport read usually fits into one chunk.
    private static let pieceByteCount = 64 << 10

    private let stream: UnsafeMutablePointer<z_stream>
    private let piece: UnsafeMutableRawBufferPointer
    private let isGzip: Bool
    /// Whether the deflate data has no wrapper, as in zip archives.
    private let isBare: Bool
    private var hasBegun = false
    private var needsBeginning = true
    /// Whether the end of the compressed data has been reached.
    package private(set) var isAtEnd = false

    /// Creates a decoder for a content coding.
    ///
    /// Returns nil if the coding was not offered, or if several codings are combined.
    package convenience init?(_ coding: String) {
        switch coding.lowercased() {
        case "gzip", "x-gzip": self.init(isGzip: true, isBare: false)
        case "deflate": self.init(isGzip: false, isBare: false)
        default: return nil
        }
    }

    /// Creates a decoder for a compressed member of a zip archive.
    package convenience init() {
        self.init(isGzip: false, isBare: true)
    }

    private init(isGzip: Bool, isBare: Bool) {
        (self.isGzip, self.isBare) = (isGzip, isBare)
        // Allocated separately because zlib stores the pointer.
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        piece = .allocate(byteCount: Self.pieceByteCount, alignment: 1)
    }

    deinit {
        if hasBegun { inflateEnd(stream) }
        stream.deallocate()
        piece.deallocate()
    }

    /// Decompresses the next bytes of the body.
    ///
    /// The result is passed to `take` in chunks, until `take` returns false.
    package func decode(
        _ bytes: UnsafeRawBufferPointer,
        into take: (UnsafeRawBufferPointer) -> Bool
    ) -> Outcome {
        var rest = bytes[...]
        while let first = rest.first {
            guard begin(with: first) else { return isAtEnd ? .wantsMore : .damaged }
            let outcome = decodeMember(UnsafeRawBufferPointer(rebasing: rest), into: take)
            guard outcome == .wantsMore else { return outcome }
            rest = rest.suffix(Int(stream.pointee.avail_in))
        }
        return .wantsMore
    }

    /// Decompresses until the end of `bytes` or the end of the compressed data.
    ///
    /// Afterward, `stream` refers to the unread bytes.
    private func decodeMember(
        _ bytes: UnsafeRawBufferPointer,
        into take: (UnsafeRawBufferPointer) -> Bool
    ) -> Outcome {
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: bytes.baseAddress?.assumingMemoryBound(to: Bytef.self)
        )
        stream.pointee.avail_in = uInt(bytes.count)
        repeat {
            stream.pointee.next_out = piece.baseAddress?.assumingMemoryBound(to: Bytef.self)
            stream.pointee.avail_out = uInt(Self.pieceByteCount)
            let status = inflate(stream, Z_NO_FLUSH)
            guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
                return .damaged
            }
            let made = Self.pieceByteCount - Int(stream.pointee.avail_out)
            guard made == 0 || take(UnsafeRawBufferPointer(rebasing: piece[..<made])) else {
                return .refused
            }
            if status == Z_STREAM_END {
                isAtEnd = true
                needsBeginning = true
                break
            }
            // A full output buffer may mean that more output is pending.
        } while stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0
        return .wantsMore
    }

    /// Starts a new compressed stream, unless one is in progress.
    ///
    /// Returns false if no stream can begin with the byte `first`. A gzip body may have several
    /// members (RFC 1952, 2.2). Other bytes after the end are ignored, as in browsers.
    private func begin(with first: UInt8) -> Bool {
        guard needsBeginning else { return true }
        if isAtEnd {
            guard isGzip, first == 0x1F, inflateReset(stream) == Z_OK else { return false }
            isAtEnd = false
        } else {
            // Servers send "deflate" with or without the two-byte zlib header.
            let isRaw = isBare || !isGzip && (first & 0x0F != 8 || first >> 4 > 7)
            let bits = isGzip ? 15 + 16 : isRaw ? -15 : 15
            guard czlib_inflate_begin(stream, Int32(bits)) == Z_OK else { return false }
            hasBegun = true
        }
        needsBeginning = false
        return true
    }
}
