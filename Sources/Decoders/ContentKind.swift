/// Names the apparent type of bytes that no decoder supports, for error messages.
enum ContentKind {
    private static let signatures: [(offset: Int, bytes: [UInt8], name: String)] = [
        (0, Array("GIF8".utf8), "GIF"),
        (8, Array("WEBP".utf8), "WebP"),
        (4, Array("ftypavif".utf8), "AVIF"),
        (4, Array("ftypavis".utf8), "AVIF"),
        (4, Array("ftyphei".utf8), "HEIC"),
        (4, Array("ftypmif1".utf8), "HEIC"),
        (4, Array("ftyp".utf8), "MP4 video"),
        (4, Array("JXL ".utf8), "JPEG XL"),
        (4, Array("jP  ".utf8), "JPEG 2000"),
        (0, [0xFF, 0x0A], "JPEG XL"),
        (0, Array("BM".utf8), "BMP"),
        (0, [0x49, 0x49, 0x2A, 0x00], "TIFF"),
        (0, [0x4D, 0x4D, 0x00, 0x2A], "TIFF"),
        (0, [0x00, 0x00, 0x01, 0x00], "icon"),
        (0, Array("%PDF".utf8), "PDF"),
        (0, [0x1A, 0x45, 0xDF, 0xA3], "WebM video"),
        (0, [0x1F, 0x8B], "gzip data"),
        (0, Array("PK\u{3}\u{4}".utf8), "ZIP archive"),
    ]

    /// The results of `describe` that name an image format.
    static let pictureFormats: Set = [
        "AVIF", "BMP", "GIF", "HEIC", "JPEG 2000", "JPEG XL", "SVG", "TIFF", "WebP", "icon",
    ]

    /// Returns a short name for the apparent type of `bytes`.
    static func describe(_ bytes: [UInt8]) -> String {
        guard !bytes.isEmpty else { return "empty file" }
        let match = signatures.first { signature in
            bytes.dropFirst(signature.offset).starts(with: signature.bytes)
        }
        let element = bytes.withUnsafeBufferPointer(MarkupStart.firstElement)
        if element == "svg" { return "SVG" }
        return match?.name ?? describeText(bytes.prefix(1_024)) ?? "unknown data"
    }

    /// Returns a name for the type of text in `bytes`, such as "HTML page", or nil if the bytes are
    /// not text.
    private static func describeText(_ bytes: ArraySlice<UInt8>) -> String? {
        let isText = bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }
        guard isText else { return nil }
        let text = String(decoding: bytes, as: UTF8.self).lowercased()
        let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if text.contains("<html") || start.hasPrefix("<!doctype html") { return "HTML page" }
        if ["<head", "<body", "<script", "<title"].contains(where: start.hasPrefix) {
            return "HTML page"
        }
        if start.hasPrefix("<") { return "XML" }
        if start.hasPrefix("{") || start.hasPrefix("[") { return "JSON" }
        return start.isEmpty ? "blank text" : "text"
    }
}
