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
