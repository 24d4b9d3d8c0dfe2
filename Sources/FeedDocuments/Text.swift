internal import Glibc

/// What readers of text have in common.
extension String {
    /// Without the white space around it.
    package var trimmed: String {
        guard first?.isWhitespace == true || last?.isWhitespace == true else { return self }
        let start = drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }

    /// With letters, digits and those `free` as they are, and all other bytes percent-coded.
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

    var nonEmpty: String? { isEmpty ? nil : self }
}

extension UnsafeBufferPointer<UInt8> {
    /// Where a byte is found from a place on; the count if it isn't.
    package func place(of byte: UInt8, from start: Int) -> Int {
        guard start < count, let base = baseAddress,
            let found = memchr(base + start, Int32(byte), count - start)
        else { return count }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
}

extension [UInt8] {
    /// Whether they are UTF-8, as far as their first 256 KiB tell.
    package var isUTF8: Bool {
        var start = prefix(256 << 10)
        // The last character may be cut.
        for _ in 0..<4 where start.count < count {
            guard let last = start.last, last >= 0x80 else { break }
            start.removeLast()
        }
        return String(validating: start, as: UTF8.self) != nil
    }
}
