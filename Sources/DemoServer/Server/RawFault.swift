internal import Decoders

/// A response that no HTTP library would write.
///
/// It is broken, endless, or inconsistent with its own header. The raw value is the value of
/// `fault` in the query of a request.
enum RawFault: String, CaseIterable {
    case closeBeforeHead = "close-before-head"
    case resetBeforeHead = "reset-before-head"
    case stallBeforeHead = "stall-before-head"
    case closeInHead = "close-in-head"
    case resetInHead = "reset-in-head"
    case stallInHead = "stall-in-head"
    /// A response head that never ends and is sent at a rate of one byte every two seconds.
    ///
    /// The server is never silent for long, but the head is never complete.
    case dripHead = "drip-head"
    /// A response head with endless header fields.
    case endlessHead = "endless-head"
    /// A response head with one header field of 1 MiB.
    case longHeader = "long-header"
    /// Endless interim responses (RFC 9110, 15.2).
    case endlessInterim = "endless-interim"
    case notHTTP = "not-http"
    /// A body of the announced length, sent at a rate of one byte every two seconds.
    case dripBody = "drip-body"
    /// An endless body without a declared length; only the end of the connection would delimit it.
    case endlessBody = "endless-body"
    /// A response head with two contradictory lengths.
    case twoLengths = "two-lengths"
    case negativeLength = "negative-length"
    /// A chunk whose size is not a number (RFC 9112, 7.1).
    case badChunk = "bad-chunk"
    /// A chunked body without the last chunk; the connection is closed instead.
    case cutChunks = "cut-chunks"
    case endlessChunks = "endless-chunks"
    /// A body of the announced length that contains only the start of a compressed stream.
    case cutCompression = "cut-compression"
    /// A body that is declared as compressed but is not compressed.
    case badCompression = "bad-compression"
    /// A body of 100 kB that decompresses to 100 MB.
    case compressionBomb = "compression-bomb"
    /// An image whose header declares 60,000 by 60,000 pixels.
    case pixelBomb = "pixel-bomb"
    /// A redirect to its own URL.
    case redirectLoop = "redirect-loop"
    case redirectNowhere = "redirect-nowhere"
    case redirectToFile = "redirect-to-file"
    case redirectToGarbage = "redirect-to-garbage"
    /// A response with only the first half of the image, regardless of the range requested.
    case unaskedPart = "unasked-part"

    /// Returns the response with this fault.
    ///
    /// `body` is the image that the server would otherwise send for `path`.
    func reply(body: [UInt8], contentType: String, path: String) -> Reply {
        let type = "Content-Type: \(contentType)\r\n"
        let length = "Content-Length: \(body.count)\r\n"
        let half = body.count / 2
        return switch self {
        case .closeBeforeHead: .raw([], .close(after: 0))
        case .resetBeforeHead: .raw([], .reset(after: 0))
        case .stallBeforeHead: .raw([], .stall(after: 0))
        case .closeInHead: .raw(Self.halfHead, .close(after: .max))
        case .resetInHead: .raw(Self.halfHead, .reset(after: .max))
        case .stallInHead: .raw(Self.halfHead, .stall(after: .max))
        case .dripHead:
            .raw(Self.bytes("HTTP/1.1 200 OK\r\nX-A: ", "a"), .endless(from: 22), dripStart: 0)
        case .endlessHead:
            .raw(Self.bytes("HTTP/1.1 200 OK\r\n", "X-Filler: filler\r\n"), .endless(from: 17))
        case .longHeader:
            .raw(
                Self.head(type + "X-Filler: \(String(repeating: "a", count: 1 << 20))\r\n" + length)
                    + body,
                .close(after: .max)
            )
        case .endlessInterim:
            .raw(Self.bytes("HTTP/1.1 103 Early Hints\r\n\r\n"), .endless(from: 0))
        case .notHTTP: .raw(Self.bytes("220 ready when you are\r\n"), .close(after: .max))
        case .dripBody: Self.drippingBody(Self.head(type + length), body)
        case .endlessBody:
            .raw(Self.head(type) + body, .endless(from: 0))
        case .twoLengths:
            .raw(Self.head(type + length + "Content-Length: 7\r\n") + body, .close(after: .max))
        case .negativeLength:
            .raw(Self.head(type + "Content-Length: -5\r\n") + body, .close(after: .max))
        case .badChunk:
            .raw(
                Self.head(type + Self.chunked) + Self.chunk(body[..<half])
                    + Self.bytes("nonsense\r\n"),
                .stall(after: .max)
            )
        case .cutChunks:
            .raw(Self.head(type + Self.chunked) + Self.chunk(body[...]), .close(after: .max))
        case .endlessChunks: Self.endlessChunks(type)
        case .cutCompression: Self.cutCompressed(type, body)
        case .badCompression:
            .raw(
                Self.head(type + "Content-Encoding: deflate\r\n" + length) + body,
                .close(after: .max)
            )
        case .compressionBomb:
            Self.compressed(type, Self.zeros[...])
        case .pixelBomb: Self.hugePicture
        case .redirectLoop: Self.redirect(to: "\(path)?fault=\(rawValue)")
        case .redirectNowhere: Self.redirect(to: nil)
        case .redirectToFile: Self.redirect(to: "file:///etc/passwd")
        case .redirectToGarbage: Self.redirect(to: "http://[not an address]/")
        case .unaskedPart:
            .raw(
                Self.head(
                    type + "Content-Range: bytes 0-\(half - 1)/\(body.count)\r\n"
                        + "Content-Length: \(half)\r\n",
                    status: "206 Partial Content"
                ) + body[..<half],
                .close(after: .max)
            )
        }
    }
}

extension RawFault {
    private static let chunked = "Transfer-Encoding: chunked\r\n"
    private static let halfHead = bytes("HTTP/1.1 200 OK\r\nContent-Type: im")

    private static func bytes(_ parts: String...) -> [UInt8] { parts.flatMap { Array($0.utf8) } }

    private static func head(_ fields: String, status: String = "200 OK") -> [UInt8] {
        bytes("HTTP/1.1 \(status)\r\nConnection: close\r\n", fields, "\r\n")
    }

    private static func chunk(_ body: ArraySlice<UInt8>) -> [UInt8] {
        bytes(String(body.count, radix: 16), "\r\n") + body + bytes("\r\n")
    }

    private static func drippingBody(_ head: [UInt8], _ body: [UInt8]) -> Reply {
        .raw(head + body, .close(after: .max), dripStart: head.count)
    }

    private static func endlessChunks(_ type: String) -> Reply {
        let head = head(type + chunked)
        let filler = [UInt8](repeating: 0, count: 1 << 16)
        return .raw(head + chunk(filler[...]), .endless(from: head.count))
    }

    /// 100 million zero bytes, compressed on first use.
    private static let zeros = packed([UInt8](repeating: 0, count: 100_000_000))

    private static func packed(_ bytes: [UInt8]) -> [UInt8] {
        PNGWriter.zlibStream(of: bytes, level: 6) ?? []
    }

    private static func cutCompressed(_ type: String, _ body: [UInt8]) -> Reply {
        let stream = packed(body)
        return compressed(type, stream.prefix(stream.count / 2))
    }

    private static func compressed(_ type: String, _ stream: ArraySlice<UInt8>) -> Reply {
        let fields = type + "Content-Encoding: deflate\r\nContent-Length: \(stream.count)\r\n"
        return .raw(head(fields) + stream, .close(after: .max))
    }

    /// A PNG signature, an IHDR chunk (PNG, 11.2.1), and the start of an IDAT chunk of 50 MB,
    /// followed by endless zeros.
    private static var hugePicture: Reply {
        let header: [UInt8] =
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + [0, 0, 0, 13] + Array("IHDR".utf8)
            + [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60, 8, 2, 0, 0, 0]
            + [0x0F, 0xB0, 0xE2, 0x15]
            + [0x02, 0xFA, 0xF0, 0x80] + Array("IDAT".utf8)
        let head = head("Content-Type: image/png\r\nContent-Length: 50000000\r\n")
        let filler = [UInt8](repeating: 0, count: 1 << 16)
        return .raw(head + header + filler, .endless(from: head.count + header.count))
    }

    private static func redirect(to location: String?) -> Reply {
        let target = location.map { "Location: \($0)\r\n" } ?? ""
        return .raw(
            head(target + "Content-Length: 0\r\n", status: "302 Found"),
            .close(after: .max)
        )
    }
}

extension Reply {
    /// Returns a response that consists of `bytes`, including the head.
    fileprivate static func raw(
        _ bytes: [UInt8],
        _ ending: Ending,
        dripStart: Int? = nil
    ) -> Reply {
        var reply = Reply(status: 200, contentType: "", body: bytes)
        reply.ending = ending
        reply.isRaw = true
        reply.dripStart = dripStart
        return reply
    }
}
