/// Where target and caption stand in a line of a plain text feed: cut at its first white space.
///
/// A path with spaces is quoted, or followed by a tab, or known by its end: where the first word does
/// not end as a picture's name does, the path goes on to the first that does. By bytes, so that a
/// million lines can be searched: a combining character behind a space or a quote leaves that what it
/// is.
struct LineParts {
    let target: Range<Int>
    /// Nil where there is none; white space at the end of the line is part of it.
    let caption: Range<Int>?

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
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
            let tab = isURL ? nil : bytes.firstIndex(of: 0x09)
            let word = tab ?? bytes.firstIndex(where: isBlank) ?? bytes.count
            end = isURL || tab != nil || word == bytes.count ? word : Self.pathEnd(bytes, word)
            rest = end
        }
        target = start..<end
        while rest < bytes.count, isBlank(bytes[rest]) { rest += 1 }
        caption = rest < bytes.count ? rest..<bytes.count : nil
    }

    /// What was found in another way.
    init(target: Range<Int>, caption: Range<Int>?) {
        (self.target, self.caption) = (target, caption)
    }

    /// The entry as a whole.
    init(whole bytes: UnsafeBufferPointer<UInt8>) {
        (target, caption) = (bytes.indices, nil)
    }

    /// The end of the first word that ends as a picture's name does; of the first word if none does.
    private static func pathEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ firstWord: Int) -> Int {
        var end = firstWord
        while true {
            if PictureNames.endsAsPicture(bytes[..<end]) { return end }
            guard end < bytes.count else { return firstWord }
            let next = bytes[(end + 1)...]
            end = next.firstIndex(of: 0x20) ?? bytes.count
        }
    }

    /// The bytes of the name before a colon with which a text begins, as a URL does; nil for a path.
    ///
    /// As RFC 3986 section 4.2 advises, a file whose name looks like one is written "./a:b.jpg".
    static func schemeByteCount(of text: some Collection<UInt8>) -> Int? {
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
