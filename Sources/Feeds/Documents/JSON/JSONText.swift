internal import Glibc

/// Finds values in JSON text without parsing it, for example to search a million records.
///
/// Nothing is validated: invalid JSON yields positions that are meaningless but inside the text.
package enum JSONText {
    /// Returns the position after the value that starts at `start`.
    ///
    /// The result is greater than `start` unless the text ends there.
    package static func valueEnd(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        guard start < bytes.count else { return bytes.count }
        switch bytes[start] {
        case UInt8(ascii: "\""): return stringEnd(bytes, from: start + 1)
        case UInt8(ascii: "{"), UInt8(ascii: "["): return containerEnd(bytes, from: start)
        default:
            var end = start + 1
            while end < bytes.count, !isEndOfWord(bytes[end]) { end += 1 }
            return end
        }
    }

    /// Returns the position after the closing quotation mark of a string whose content starts at
    /// `start`.
    package static func stringEnd(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        guard let base = bytes.baseAddress else { return 0 }
        var index = start
        while index < bytes.count,
            let found = memchr(base + index, 0x22, bytes.count - index)
        {
            let quote = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            var slashes = 0
            while quote - slashes > start, bytes[quote - slashes - 1] == 0x5C { slashes += 1 }
            if slashes.isMultiple(of: 2) { return quote + 1 }
            index = quote + 1
        }
        return bytes.count
    }

    private static func containerEnd(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var (index, depth) = (start, 0)
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index = stringEnd(bytes, from: index + 1)
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return index + 1 }
            default: break
            }
            index += 1
        }
        return bytes.count
    }

    private static func isEndOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"),
            UInt8(ascii: "\""), UInt8(ascii: "["), UInt8(ascii: "{"):
            true
        default: isSpace(byte)
        }
    }

    package static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// Returns the position of the first byte at or after `start` that is not white space.
    package static func skippingSpace(
        _ bytes: UnsafeBufferPointer<UInt8>,
        from start: Int
    ) -> Int {
        var index = start
        while index < bytes.count, isSpace(bytes[index]) { index += 1 }
        return index
    }

    // MARK: - Elements

    /// The positions of an array's elements.
    package struct Elements: Sendable {
        /// The position of the first byte of each element.
        package fileprivate(set) var starts: [UInt32] = []
        /// The position after the last element.
        package fileprivate(set) var end = 0
        /// Whether the array is complete.
        package fileprivate(set) var isWhole = false
    }

    /// Returns the positions of the elements of the array at `start`.
    ///
    /// If the array is truncated, returns the positions of the elements that are present.
    package static func elements(
        _ bytes: UnsafeBufferPointer<UInt8>,
        ofArrayAt start: Int
    ) -> Elements {
        var elements = Elements()
        var index = start + 1
        while true {
            index = skippingSpace(bytes, from: index)
            guard index < bytes.count else { break }
            if bytes[index] == UInt8(ascii: "]") {
                elements.isWhole = true
                break
            }
            elements.starts.append(UInt32(truncatingIfNeeded: index))
            index = skippingSpace(bytes, from: valueEnd(bytes, from: index))
            if index < bytes.count, bytes[index] == UInt8(ascii: ",") { index += 1 }
        }
        elements.end = index
        return elements
    }

    /// Returns the ranges of the name and the value of each member of the object at `start`.
    ///
    /// The result ends at a syntax error. The ranges of the names include their quotation marks.
    package static func members(
        _ bytes: UnsafeBufferPointer<UInt8>,
        ofObjectAt start: Int
    ) -> [(name: Range<Int>, value: Range<Int>)] {
        var members: [(name: Range<Int>, value: Range<Int>)] = []
        var index = skippingSpace(bytes, from: start + 1)
        while index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
            let name = index..<stringEnd(bytes, from: index + 1)
            index = skippingSpace(bytes, from: name.upperBound)
            guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else { break }
            let first = skippingSpace(bytes, from: index + 1)
            guard first < bytes.count else { break }
            let value = first..<valueEnd(bytes, from: first)
            members.append((name, value))
            index = skippingSpace(bytes, from: value.upperBound)
            guard index < bytes.count, bytes[index] == UInt8(ascii: ",") else { break }
            index = skippingSpace(bytes, from: index + 1)
        }
        return members
    }

    // MARK: - Values

    /// Calls `body` with the range of each string and number, except the names of members, until
    /// `body` returns false.
    ///
    /// The range of a string does not include its quotation marks.
    package static func forEachValue(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ body: (_ value: Range<Int>) -> Bool
    ) {
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                let end = stringEnd(bytes, from: index + 1)
                let next = skippingSpace(bytes, from: end)
                let isName = next < bytes.count && bytes[next] == UInt8(ascii: ":")
                if !isName, index + 1 < end, !body(index + 1..<end - 1) { return }
                index = isName ? next + 1 : end
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                let end = valueEnd(bytes, from: index)
                guard body(index..<end) else { return }
                index = end
            default: index += 1
            }
        }
    }

    /// Returns the range of the value at a path of member names and array indices, or nil if there
    /// is no value at that path.
    ///
    /// The result is also nil if a name on the path contains escapes in the text.
    package static func value(
        at path: [[UInt8]],
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Range<Int>? {
        var start = skippingSpace(bytes, from: 0)
        for name in path {
            guard start < bytes.count, let next = member(name, bytes, of: start) else { return nil }
            start = next
        }
        guard start < bytes.count else { return nil }
        return start..<valueEnd(bytes, from: start)
    }

    /// Returns the position of a value in the object or array at `start`, or nil if it is missing.
    ///
    /// In an object, this is the value of the last member named `name`. In an array, this is the
    /// element at the index `name`.
    private static func member(
        _ name: [UInt8],
        _ bytes: UnsafeBufferPointer<UInt8>,
        of start: Int
    ) -> Int? {
        guard bytes[start] == UInt8(ascii: "{") else {
            guard bytes[start] == UInt8(ascii: "[") else { return nil }
            return element(Int(String(decoding: name, as: UTF8.self)), bytes, of: start)
        }
        var found: Int?
        var index = skippingSpace(bytes, from: start + 1)
        while index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
            let end = stringEnd(bytes, from: index + 1)
            let key = bytes[(index + 1)..<max(index + 1, end - 1)]
            index = skippingSpace(bytes, from: end)
            guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else { break }
            index = skippingSpace(bytes, from: index + 1)
            if key.count == name.count, key.elementsEqual(name) { found = index }
            index = skippingSpace(bytes, from: valueEnd(bytes, from: index))
            guard index < bytes.count, bytes[index] == UInt8(ascii: ",") else { break }
            index = skippingSpace(bytes, from: index + 1)
        }
        return found
    }

    private static func element(
        _ wanted: Int?,
        _ bytes: UnsafeBufferPointer<UInt8>,
        of start: Int
    ) -> Int? {
        guard let wanted, wanted >= 0 else { return nil }
        var index = skippingSpace(bytes, from: start + 1)
        for _ in 0..<wanted {
            index = skippingSpace(bytes, from: valueEnd(bytes, from: index))
            guard index < bytes.count, bytes[index] == UInt8(ascii: ",") else { return nil }
            index = skippingSpace(bytes, from: index + 1)
        }
        return index < bytes.count && bytes[index] != UInt8(ascii: "]") ? index : nil
    }

    // MARK: - Escapes

    /// Returns the unescaped content of a string.
    ///
    /// An invalid escape (`\q`, `\u12`) is kept as written, because handwritten JSON may contain
    /// Windows paths with single backslashes.
    package static func unescaped(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var rest = Array(bytes)[...]
        while let byte = rest.popFirst() {
            guard byte == 0x5C, let escape = rest.popFirst() else {
                result.append(byte)
                continue
            }
            switch escape {
            case UInt8(ascii: "n"): result.append(0x0A)
            case UInt8(ascii: "t"): result.append(0x09)
            case UInt8(ascii: "r"): result.append(0x0D)
            case UInt8(ascii: "b"): result.append(0x08)
            case UInt8(ascii: "f"): result.append(0x0C)
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): result.append(escape)
            case UInt8(ascii: "u"):
                if let scalar = scalar(&rest) {
                    result += Array(String(scalar).utf8)
                } else {
                    result += [byte, escape]
                }
            default: result += [byte, escape]
            }
        }
        return result
    }

    /// Returns the character of a `\u` escape, or nil if `rest` does not start with four
    /// hexadecimal digits.
    ///
    /// If the second half of a surrogate pair follows, it is included.
    private static func scalar(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar? {
        guard let unit = hexadecimal(rest.prefix(4)) else { return nil }
        rest = rest.dropFirst(4)
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard rest.starts(with: [0x5C, UInt8(ascii: "u")]), unit < 0xDC00,
            let low = hexadecimal(rest.dropFirst(2).prefix(4)), (0xDC00..<0xE000).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        else { return "\u{FFFD}" }
        rest = rest.dropFirst(6)
        return scalar
    }

    private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt32? {
        // `UInt32` accepts a plus sign.
        guard digits.count == 4, digits.first != UInt8(ascii: "+") else { return nil }
        return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
