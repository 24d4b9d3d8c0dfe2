/// The ranges of the target and the caption in a line of a plain-text feed.
///
/// The target is a URL or path that usually ends at the first white space. A target with spaces is
/// quoted or followed by a tab. The end of a path with spaces can also be detected: if the first
/// word does not end like the name of an image, the path continues to the first word that does.
///
/// The code processes bytes so a million lines can be searched quickly. A combining character after
/// a space or a quotation mark does not change the meaning of that character.
package struct LineParts {
    package let target: Range<Int>
    /// The range of the caption and trailing white space, or nil if there is no caption.
    package let caption: Range<Int>?

    package init(_ bytes: UnsafeBufferPointer<UInt8>) {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        var start = 0
        let end: Int
        var rest: Int
        if bytes.first == UInt8(ascii: "\""),
            let quote = bytes.dropFirst().firstIndex(of: UInt8(ascii: "\""))
        {
            (start, end, rest) = (1, quote, quote + 1)
        } else {
            let isURL = Self.schemeByteCount(of: bytes) != nil
            let tab = isURL ? Self.tab(endingURLIn: bytes) : bytes.firstIndex(of: 0x09)
            let word = tab ?? bytes.firstIndex(where: isBlank) ?? bytes.count
            end = isURL || tab != nil || word == bytes.count ? word : Self.pathEnd(bytes, word)
            rest = end
        }
        target = start..<end
        while rest < bytes.count, isBlank(bytes[rest]) { rest += 1 }
        caption = rest < bytes.count ? rest..<bytes.count : nil
    }

    package init(target: Range<Int>, caption: Range<Int>?) {
        (self.target, self.caption) = (target, caption)
    }

    /// Creates the parts of an entry that is one path or URL without a caption.
    package init(whole bytes: UnsafeBufferPointer<UInt8>) {
        (target, caption) = (bytes.indices, nil)
    }

    /// Returns the position of the tab after a URL that contains spaces, or nil if the URL ends at
    /// its first space.
    private static func tab(endingURLIn bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let space = bytes.firstIndex(of: 0x20),
            let tab = bytes[space...].firstIndex(of: 0x09),
            !PictureNames.endsAsPicture(bytes[..<space]), PictureNames.endsAsPicture(bytes[..<tab])
        else { return nil }
        return tab
    }

    /// Returns the position after the first word that ends like the name of an image or, if there
    /// is no such word, after the first word.
    private static func pathEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ firstWord: Int) -> Int {
        var end = firstWord
        while true {
            if PictureNames.endsAsPicture(bytes[..<end]) { return end }
            guard end < bytes.count else { return firstWord }
            let next = bytes[(end + 1)...]
            end = next.firstIndex(of: 0x20) ?? bytes.count
        }
    }

    /// Returns the length of the scheme at the start of a URL, or nil for a path.
    ///
    /// As RFC 3986, section 4.2, recommends, a file name that looks like a URL must be written with
    /// "./", as in "./a:b.jpg".
    package static func schemeByteCount(of text: some Collection<UInt8>) -> Int? {
        guard let first = text.first, isLetter(first) else { return nil }
        var count = 0
        for byte in text {
            if byte == UInt8(ascii: ":") { return count }
            guard
                isLetter(byte) || byte &- 0x30 < 10 || byte == 0x2B || byte == 0x2D || byte == 0x2E
            else { return nil }
            count += 1
        }
        return nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
}
