internal import CZlib

/// Undoes the content coding of one body (RFC 9110, 8.4.1): `gzip` and `deflate`.
///
/// Not left to libcurl, which takes a packed body for whole wherever its connection ends. Belongs to
/// the thread that makes it.
final class ContentDecoder {
    /// What is asked for in `Accept-Encoding`.
    static let offer = "gzip, deflate"

    /// What a piece of the body comes to.
    enum Outcome: Hashable {
        case wantsMore
        /// Whoever takes the plain bytes takes no more.
        case refused
        /// It can't be unpacked.
        case damaged
    }

    /// Enough for one read of the transport in most cases.
    private static let pieceByteCount = 64 << 10

    private let stream: UnsafeMutablePointer<z_stream>
    private let piece: UnsafeMutableRawBufferPointer
    private let isGzip: Bool
    /// Whether there is nothing around what is deflated, as in zip archives.
    private let isBare: Bool
    private var hasBegun = false
    private var needsBeginning = true
    /// Whether the end of what was packed has come.
    private(set) var isAtEnd = false

    /// Nil for a coding that was not offered, and for several on top of each other.
    convenience init?(_ coding: String) {
        switch coding.lowercased() {
        case "gzip", "x-gzip": self.init(isGzip: true, isBare: false)
        case "deflate": self.init(isGzip: false, isBare: false)
        default: return nil
        }
    }

    /// For what is deflated in a zip archive.
    convenience init() {
        self.init(isGzip: false, isBare: true)
    }

    private init(isGzip: Bool, isBare: Bool) {
        (self.isGzip, self.isBare) = (isGzip, isBare)
        // In a place of its own: zlib keeps the address.
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        piece = .allocate(byteCount: Self.pieceByteCount, alignment: 1)
    }

    deinit {
        if hasBegun { inflateEnd(stream) }
        stream.deallocate()
        piece.deallocate()
    }

    /// Unpacks more of the body, and hands it on piece by piece until `take` returns false.
    func decode(
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

    /// Unpacks to the end of the bytes, or of what was packed; the rest is in `stream`.
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
            // A full piece may not have been all.
        } while stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0
        return .wantsMore
    }

    /// Prepares for what begins with this byte, unless it goes on; false if it is none of ours.
    ///
    /// A gzip body may have several members (RFC 1952, 2.2). What else comes after the end is left
    /// unread, as browsers do.
    private func begin(with first: UInt8) -> Bool {
        guard needsBeginning else { return true }
        if isAtEnd {
            guard isGzip, first == 0x1F, inflateReset(stream) == Z_OK else { return false }
            isAtEnd = false
        } else {
            // Servers send "deflate" with and without zlib's two bytes around it.
            let isRaw = isBare || !isGzip && (first & 0x0F != 8 || first >> 4 > 7)
            let bits = isGzip ? 15 + 16 : isRaw ? -15 : 15
            guard czlib_inflate_begin(stream, Int32(bits)) == Z_OK else { return false }
            hasBegun = true
        }
        needsBeginning = false
        return true
    }
}
