/// Converts feeds to UTF-8.
package enum FeedText {
    /// Returns the bytes of a feed as UTF-8.
    ///
    /// If there is no UTF-16 byte order mark and the user specified no encoding, the bytes are
    /// returned unchanged, because file names may contain any bytes.
    package static func utf8(_ bytes: [UInt8], _ options: FeedOptions) -> [UInt8] {
        if options.endsEntriesWithZero { return bytes }
        if let isBigEndian = isUTF16(bytes) {
            return utf8(fromUTF16: bytes, isBigEndian: isBigEndian)
        }
        if options.encoding == .latin1 { return utf8(fromLatin1: bytes) }
        return options.encoding.charset?.utf8(bytes) ?? bytes
    }

    /// Returns whether UTF-16 text is big-endian, according to its byte order mark, or nil if there
    /// is none.
    package static func isUTF16(_ bytes: some Collection<UInt8>) -> Bool? {
        if bytes.starts(with: [0xFF, 0xFE]) { return false }
        return bytes.starts(with: [0xFE, 0xFF]) ? true : nil
    }

    private static func utf8(fromUTF16 bytes: [UInt8], isBigEndian: Bool) -> [UInt8] {
        let units = stride(from: 2, to: bytes.count - 1, by: 2).lazy.map { place in
            let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        return Array(String(decoding: Array(units), as: UTF16.self).utf8)
    }

    package static func utf8(fromLatin1 bytes: [UInt8]) -> [UInt8] {
        let count = bytes.count { $0 >= 0x80 }
        guard count > 0 else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + count)
        for byte in bytes {
            if byte < 0x80 {
                result.append(byte)
            } else {
                result.append(0xC0 | byte >> 6)
                result.append(0x80 | byte & 0x3F)
            }
        }
        return result
    }
}

extension FeedText {
    /// Returns a response body as UTF-8.
    ///
    /// The body is converted from the character set that the server specifies. If the user
    /// specifies an encoding, the body is returned unchanged. The order of precedence follows RFC
    /// 7303 and browsers, with one exception: valid UTF-8 is always treated as UTF-8, because it is
    /// very unlikely to be anything else.
    package static func utf8(
        _ bytes: [UInt8],
        contentType: String?,
        _ options: FeedOptions
    ) -> [UInt8] {
        guard options.encoding == .automatic, let contentType,
            let charset = Charset(contentType: contentType)
        else { return bytes }
        // ASCII text in UTF-16 is valid UTF-8 that contains NUL bytes.
        let isText = bytes.isUTF8 && !bytes.prefix(4).contains(0)
        guard !isText, isUTF16(bytes) == nil else { return bytes }
        return charset.utf8(bytes) ?? bytes
    }
}
