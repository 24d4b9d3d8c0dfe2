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
