import Decoders

/// Recognizes the names and URLs of images without opening the files.
package enum PictureNames {
    /// The suffixes of all formats in lowercase.
    private static let suffixes = Set(
        DecoderRegistry.standard.formats.flatMap(\.fileSuffixes).map { Array($0.utf8) }
    )

    /// Returns whether a path ends with a dot and the suffix of an image format.
    package static func endsAsPicture(_ name: some BidirectionalCollection<UInt8>) -> Bool {
        let suffix = name.suffix(6)
        guard let dot = suffix.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else {
            return false
        }
        let letters = suffix[suffix.index(after: dot)...].map(\.lowercasedASCII)
        return suffixes.contains(letters)
    }

    /// Returns whether a URL has the suffix of an image, or is a data URL.
    package static func isPicture(_ address: String) -> Bool {
        if isData(address) { return true }
        let path = Array(address.utf8.prefix { $0 != 0x3F && $0 != 0x23 })
        return endsAsPicture(path)
    }

    /// Returns whether a string is a loadable URL or the path of an image.
    package static func isAddress(_ text: String) -> Bool {
        let start = text.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
            || start.hasPrefix("file:/") || isPicture(text)
    }

    private static func isData(_ address: String) -> Bool {
        address.prefix(11).lowercased() == "data:image/" || dataURL(ofBase64: address) != nil
    }

    private static let base64Starts = [
        (text: "iVBORw0KGgo", type: "png"), (text: "/9j/", type: "jpeg"),
        (text: "R0lGOD", type: "gif"), (text: "UklGR", type: "webp"),
    ]

    /// Returns the `data:` URL for a base64-encoded image, or nil for other text.
    ///
    /// The signature of a format is always encoded as the same characters.
    package static func dataURL(ofBase64 text: String) -> String? {
        guard text.utf8.count >= 64,
            let type = base64Starts.first(where: { text.utf8.starts(with: $0.text.utf8) })?.type,
            text.utf8.dropFirst(4).prefix(256).allSatisfy({ byte in
                (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || "+/=\r\n".utf8.contains(byte)
            })
        else { return nil }
        return "data:image/\(type);base64,\(text)"
    }
}
