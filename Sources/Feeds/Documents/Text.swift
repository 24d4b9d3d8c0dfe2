internal import Glibc

/// Functions shared by the text readers.
extension String {
    /// The text without surrounding white space.
    package var trimmed: String {
        guard first?.isWhitespace == true || last?.isWhitespace == true else { return self }
        let start = drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }

    /// Returns the text percent-encoded, except for letters, digits and the characters in `free`.
    package func percentCoded(keeping free: String = "-._~") -> String {
        let hex = Array("0123456789ABCDEF".utf8)
        var coded: [UInt8] = []
        for byte in utf8 {
            if (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || free.utf8.contains(byte) {
                coded.append(byte)
            } else {
                coded += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            }
        }
        return String(decoding: coded, as: UTF8.self)
    }

    package var nonEmpty: String? { isEmpty ? nil : self }

    /// The text with single spaces between words, or nil if it is blank.
    package var tidied: String? {
        split(whereSeparator: \.isWhitespace).joined(separator: " ").nonEmpty
    }

    /// The words in lowercase.
    package var words: [Substring] { lowercased().split(whereSeparator: \.isWhitespace) }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the first position of a byte at or after `start`, or the count if the byte is not
    /// found.
    package func place(of byte: UInt8, from start: Int) -> Int {
        guard start < count, let base = baseAddress,
            let found = memchr(base + start, Int32(byte), count - start)
        else { return count }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// Returns whether the bytes starting at `start` begin with `text`.
    package func has(_ text: StaticString, at start: Int) -> Bool {
        let text = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        return self[start...].starts(with: text)
    }

    /// Returns whether the bytes contain `text`, which must not be empty.
    package func contains(_ text: StaticString) -> Bool {
        var index = place(of: text.utf8Start[0], from: 0)
        while index < count {
            if has(text, at: index) { return true }
            index = place(of: text.utf8Start[0], from: index + 1)
        }
        return false
    }

    /// Returns the position after the first occurrence of `mark` that starts at or after `start`,
    /// or the count if `mark` does not occur.
    ///
    /// The last character of `mark` must be ">".
    package func end(of mark: StaticString, from start: Int) -> Int {
        var index = start
        while true {
            let close = place(of: UInt8(ascii: ">"), from: index)
            guard close < count else { return count }
            index = close + 1
            let place = index - mark.utf8CodeUnitCount
            if place >= start, has(mark, at: place) { return index }
        }
    }
}

extension UInt8 {
    /// The byte, converted to lowercase if it is an uppercase ASCII letter.
    package var lowercasedASCII: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}

extension [UInt8] {
    /// Whether the text may contain an attribute or a style with a background image.
    package var mayHaveBackgrounds: Bool {
        withUnsafeBufferPointer { $0.contains("background") || $0.contains("-bg") }
    }

    /// Whether the first 256 KiB of the bytes are valid UTF-8.
    package var isUTF8: Bool {
        var start = prefix(256 << 10)
        // The last character may be truncated.
        for _ in 0..<4 where start.count < count {
            guard let last = start.last, last >= 0x80 else { break }
            start.removeLast()
        }
        return String(validating: start, as: UTF8.self) != nil
    }

    /// Whether the first 256 KiB, read as UTF-8, contain more invalid characters than valid
    /// non-ASCII characters.
    var hasMoreInvalidCharacters: Bool {
        let text = String(decoding: prefix(256 << 10), as: UTF8.self)
        let others = text.unicodeScalars.lazy.filter { $0.value >= 0x80 }
        return others.count { $0 == "\u{FFFD}" } * 2 > others.count { _ in true }
    }
}
