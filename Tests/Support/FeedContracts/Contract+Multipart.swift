public import DecoderContracts
import ImageLoading

extension Contract {
    /// The first image of a camera's body is part of the body, however the body is divided.
    ///
    /// The first line of the bytes is the `Content-Type`, and the other bytes are the body.
    public static let multipart = Contract("Multipart") { (bytes) throws(BrokenContract) in
        let line = bytes.prefix { $0 != 0x0A }
        let type = String(decoding: line, as: UTF8.self)
        guard let reader = MixedReplaceReader(contentType: type) else { return }
        let body = Array(bytes.dropFirst(line.count + 1))
        let whole = FirstImage(of: body, inPiecesOf: max(1, body.count), by: reader)
        for byteCount in [1, 7] {
            let image = FirstImage(of: body, inPiecesOf: byteCount, by: reader)
            try require(
                image == whole,
                "\(image) in pieces of \(byteCount) bytes, \(whole) in one piece"
            )
        }
        guard let image = whole.bytes else { return }
        try require(isAtLineStart(image, in: body), "\(image.count) bytes are not in the body")
    }

    /// Whether `part` follows a line end in `bytes`, or is empty.
    private static func isAtLineStart(_ part: [UInt8], in bytes: [UInt8]) -> Bool {
        part.isEmpty
            || bytes.indices.contains {
                bytes[$0] == 0x0A && bytes[($0 + 1)...].starts(with: part)
            }
    }
}

/// The result of reading a body.
private struct FirstImage: Equatable {
    /// The bytes of the image; nil if the body is invalid.
    var bytes: [UInt8]?
    /// Whether the image ends before the body does.
    var isAtEnd = false

    init(of body: [UInt8], inPiecesOf byteCount: Int, by reader: MixedReplaceReader) {
        var reader = reader
        var image: [UInt8] = []
        for start in stride(from: 0, to: body.count, by: byteCount) where !reader.isAtEnd {
            let piece = body[start..<min(start + byteCount, body.count)]
            guard let part = piece.withUnsafeBytes({ reader.read($0) }) else { return }
            image += part
        }
        (bytes, isAtEnd) = (image + reader.remainder, reader.isAtEnd)
    }
}
