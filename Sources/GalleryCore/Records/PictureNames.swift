internal import Decoders

/// Which texts are names of pictures, as far as a text alone can tell.
enum PictureNames {
    /// The suffixes of all formats, in lower case.
    private static let suffixes = Set(
        DecoderRegistry.standard.formats.flatMap(\.fileSuffixes).map { Array($0.utf8) }
    )

    /// Whether a path or a part of it ends as a picture's name does: in a dot and a suffix.
    static func endsAsPicture(_ name: some BidirectionalCollection<UInt8>) -> Bool {
        let suffix = name.suffix(6)
        guard let dot = suffix.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else {
            return false
        }
        let letters = suffix[suffix.index(after: dot)...].map(\.lowercasedASCII)
        return suffixes.contains(letters)
    }

    /// Whether a URL or path names a picture by its suffix, or holds one.
    static func isPicture(_ address: String) -> Bool {
        if isData(address) { return true }
        let path = Array(address.utf8.prefix { $0 != 0x3F && $0 != 0x23 })
        return endsAsPicture(path)
    }

    /// Whether it is the address of something: a URL that can be loaded, or a picture's path.
    static func isAddress(_ text: String) -> Bool {
        let start = text.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
            || start.hasPrefix("file:/") || isPicture(text)
    }

    private static func isData(_ address: String) -> Bool {
        address.prefix(11).lowercased() == "data:image/"
    }
}
