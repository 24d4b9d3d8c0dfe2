/// Replaces the embedded images in SVG documents that librsvg may be unable to decode.
///
/// librsvg decodes PNG, JPEG and GIF images in `data:` URLs. For WebP and AVIF images, it needs
/// plug-ins that few systems have, so these images are replaced by PNG images.
struct SVGEmbeddedImages {
    /// The maximum number of pixels of an embedded image.
    private static let maximumPixelCount = 1 << 24
    /// The maximum number of embedded images that are replaced.
    private static let maximumCount = 100
    private static let mark = Array(";base64,".utf8)
    private static let starts = ["data:image/webp", "data:image/avif"].map { Array($0.utf8) }

    /// Returns the document with PNG images in place of WebP and AVIF images, or nil if it contains
    /// no such image that can be decoded, or if the result has more than `limit` bytes.
    static func replaced(
        in document: UnsafeBufferPointer<UInt8>,
        limit: Int,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) -> [UInt8]? {
        var output: [UInt8] = []
        var (copied, position, count) = (0, 0, 0)
        while count < maximumCount, !isCancelled(),
            let start = document[position...].firstIndex(of: UInt8(ascii: "d"))
        {
            position = start + 1
            guard let name = starts.first(where: { document[start...].starts(with: $0) }),
                let mark = document[(start + name.count)...].prefix(40).firstIndex(of: mark[0]),
                document[mark...].starts(with: Self.mark)
            else { continue }
            let content = document[(mark + Self.mark.count)...].prefix { !isEnd($0) }
            position = content.endIndex
            count += 1
            guard let image = png(of: content, isCancelled) else { continue }
            output += document[copied..<start]
            output += "data:image/png;base64,".utf8
            output += Base64.encoded(image)
            copied = content.endIndex
            guard output.count <= limit else { return nil }
        }
        guard copied > 0, output.count + document.count - copied <= limit else { return nil }
        return output + document[copied...]
    }

    /// Returns whether a byte ends a URL in an attribute or in a style sheet.
    private static func isEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: ")")
            || byte == UInt8(ascii: "<")
    }

    private static func png(
        of content: Slice<UnsafeBufferPointer<UInt8>>,
        _ isCancelled: @escaping @Sendable () -> Bool
    ) -> [UInt8]? {
        guard let bytes = Base64.decoded(content) else { return nil }
        let registry = DecoderRegistry.standard
        // Only these formats are decoded, so that a document cannot contain itself.
        guard let format = registry.format(of: bytes), format == .webP || format == .avif else {
            return nil
        }
        var options = DecodingOptions(
            limits: DecodingLimits(maximumPixelCount: maximumPixelCount)
        )
        options.isCancelled = isCancelled
        guard let image = try? registry.decode(bytes, options: options) else { return nil }
        return try? PNGEncoder.encode(image.pixels)
    }
}

/// The base64 encoding (RFC 4648, section 4).
private enum Base64 {
    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )
    private static let values: [UInt8] = digits.indices.reduce(
        into: [UInt8](repeating: .max, count: 256)
    ) { $0[Int(digits[$1])] = UInt8($1) }

    /// Decodes a text up to its padding, ignoring white space and XML character references.
    ///
    /// Returns nil if the text contains any other character.
    static func decoded(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8]? {
        var (bytes, bits, bitCount) = ([UInt8](), UInt32(0), 0)
        bytes.reserveCapacity(text.count / 4 * 3)
        var isReference = false
        for byte in text {
            if isReference {
                isReference = byte != UInt8(ascii: ";")
                continue
            }
            if byte == UInt8(ascii: "=") { break }
            isReference = byte == UInt8(ascii: "&")
            if isReference || byte.isSpace { continue }
            let value = values[Int(byte)]
            guard value != .max else { return nil }
            bits = bits << 6 | UInt32(value)
            bitCount += 6
            guard bitCount >= 8 else { continue }
            bitCount -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
        }
        return bytes
    }

    static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            var bits = part.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            bits <<= UInt32(8 * (3 - part.count))
            for index in 0..<4 {
                let isPadding = index > part.count
                let digit = digits[Int(bits >> UInt32(18 - 6 * index) & 63)]
                text.append(isPadding ? UInt8(ascii: "=") : digit)
            }
        }
        return text
    }
}
