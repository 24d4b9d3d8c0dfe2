/// The base64 encoding (RFC 4648, section 4).
package enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )
    private static let padding = UInt8(ascii: "=")
    /// The number that each character stands for, or 64 if it stands for none.
    private static let numbers = alphabet.indices.reduce(
        into: [UInt8](repeating: 64, count: 256)
    ) { $0[Int(alphabet[$1])] = UInt8($1) }

    /// Returns the number of base64 characters for `byteCount` bytes.
    package static func count(of byteCount: Int) -> Int { (byteCount + 2) / 3 * 4 }

    /// Returns the UTF-8 bytes of `text` in base64.
    package static func encode(_ text: String) -> String {
        var characters: [UInt8] = []
        append(Array(text.utf8)[...], to: &characters)
        return String(decoding: characters, as: UTF8.self)
    }

    /// Appends `bytes` as base64 to `output`.
    package static func append(_ bytes: ArraySlice<UInt8>, to output: inout [UInt8]) {
        let start = output.count
        output.append(contentsOf: repeatElement(padding, count: count(of: bytes.count)))
        output.withUnsafeMutableBufferPointer { output in
            bytes.withUnsafeBufferPointer { bytes in
                alphabet.withUnsafeBufferPointer { alphabet in
                    write(bytes, alphabet, to: output[start...])
                }
            }
        }
    }

    /// Writes the base64 characters of `bytes` to `output`, except for the padding.
    private static func write(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ alphabet: UnsafeBufferPointer<UInt8>,
        to output: Slice<UnsafeMutableBufferPointer<UInt8>>
    ) {
        let output = UnsafeMutableBufferPointer(rebasing: output)
        var (from, to) = (0, 0)
        while from + 3 <= bytes.count {
            let bits = Int(bytes[from]) << 16 | Int(bytes[from + 1]) << 8 | Int(bytes[from + 2])
            output[to] = alphabet[bits >> 18]
            output[to + 1] = alphabet[bits >> 12 & 63]
            output[to + 2] = alphabet[bits >> 6 & 63]
            output[to + 3] = alphabet[bits & 63]
            from += 3
            to += 4
        }
        guard from < bytes.count else { return }
        let second = from + 1 < bytes.count ? Int(bytes[from + 1]) : 0
        let bits = Int(bytes[from]) << 16 | second << 8
        output[to] = alphabet[bits >> 18]
        output[to + 1] = alphabet[bits >> 12 & 63]
        if from + 1 < bytes.count { output[to + 2] = alphabet[bits >> 6 & 63] }
    }

    /// Returns the bytes that `text` encodes, or nil if it is not base64.
    ///
    /// White space and missing padding are allowed, as in browsers.
    package static func decode(_ text: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var (bits, bitCount, isPadded) = (0, 0, false)
        for character in text where !character.isSpace {
            isPadded = isPadded || character == padding
            guard !isPadded else {
                if character == padding { continue }
                return nil
            }
            let number = numbers[Int(character)]
            guard number < 64 else { return nil }
            bits = (bits << 6 | Int(number)) & 0xFFFF
            bitCount += 6
            guard bitCount >= 8 else { continue }
            bitCount -= 8
            bytes.append(UInt8(bits >> bitCount & 0xFF))
        }
        // A single character at the end encodes no byte.
        return bitCount == 6 ? nil : bytes
    }
}
