/// Replaces the embedded images in SVG documents that librsvg may be unable to decode.
///
/// librsvg decodes PNG, JPEG and GIF images in `data:` URLs. For WebP and AVIF images, it needs
/// plug-ins that few systems have, so these images are replaced by PNG images.
struct SVGEmbeddedImages {
    /// The maximum number of pixels of an embedded image.
    private static let maximumPixelCount = 1 << 24
    /// The maximum number of embedded images that are replaced.
    private static let maximumCount = 100
    private static let start = Array("data:image/".utf8)
    private static let formats = ["webp", "avif"].map { Array($0.utf8) }
    private static let mark = Array(";base64,".utf8)

    /// Returns the document with its WebP and AVIF images replaced by PNG images.
    ///
    /// Returns nil if no such image can be decoded, or if the result has more than `limit` bytes.
    static func replaced(
        in document: UnsafeBufferPointer<UInt8>,
        limit: Int,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) -> [UInt8]? {
        var output: [UInt8] = []
        var (copied, position, count) = (0, 0, 0)
        while count < maximumCount, !isCancelled(),
            let start = document.offset(of: start, from: position)
        {
            position = start + Self.start.count
            let type = document[position...]
            guard formats.contains(where: { type.starts(with: $0) }),
                let mark = type.prefix(40).firstIndex(of: mark[0]),
                document[mark...].starts(with: Self.mark)
            else { continue }
            let content = document[(mark + Self.mark.count)...].prefix { !isEnd($0) }
            position = content.endIndex
            count += 1
            guard let image = png(of: content, isCancelled) else { continue }
            output += document[copied..<start]
            output += "data:image/png;base64,".utf8
            Base64.append(image[...], to: &output)
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
        // Some programs write line ends as character references, such as "&#10;".
        var isReference = false
        let text = content.filter { byte in
            defer { if byte == UInt8(ascii: ";") { isReference = false } }
            isReference = isReference || byte == UInt8(ascii: "&")
            return !isReference
        }
        guard let bytes = Base64.decode(text) else { return nil }
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
