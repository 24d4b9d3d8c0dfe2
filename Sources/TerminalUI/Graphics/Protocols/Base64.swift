/// Base64 encoding with padding (RFC 4648, section 4).
package enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )
    private static let padding = UInt8(ascii: "=")

    /// Returns the number of base64 characters for `byteCount` bytes.
    static func count(of byteCount: Int) -> Int { (byteCount + 2) / 3 * 4 }

    /// Returns the UTF-8 bytes of `text` in base64.
    package static func encode(_ text: String) -> String {
        var characters: [UInt8] = []
        append(Array(text.utf8)[...], to: &characters)
        return String(decoding: characters, as: UTF8.self)
    }

    /// Appends `bytes` as base64 to `output`.
    static func append(_ bytes: ArraySlice<UInt8>, to output: inout [UInt8]) {
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
}

extension [UInt8] {
    /// Appends the UTF-8 bytes of a string.
    mutating func append(_ text: String) {
        append(contentsOf: text.utf8)
    }

    /// Appends a nonnegative number in decimal digits.
    mutating func append(decimal number: Int) {
        if number >= 10 { append(decimal: number / 10) }
        append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}
