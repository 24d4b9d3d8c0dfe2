/// Checks the limits and finds the numbers in JSON text before the text is parsed.
package struct JSONScan {
    /// The ranges of all numbers in the text, or an empty array if libjansson preserves all of them
    /// exactly.
    package private(set) var numbers: [Range<Int>] = []
    private var hasLongNumber = false
    private var fault: JSONFault?

    /// Scans the entire text; throws if the text exceeds a limit.
    package init(_ bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits) throws(JSONFault) {
        guard bytes.count <= limits.byteCount else {
            throw .invalid(position: 0, reason: "longer than \(limits.byteCount) bytes")
        }
        var (index, depth, valueCount) = (0, 0, 1)
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index = JSONText.stringEnd(bytes, from: index + 1)
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                valueCount += 1
                guard depth <= limits.depth else {
                    throw .invalid(position: index, reason: "nested deeper than \(limits.depth)")
                }
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ","): valueCount += 1
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                let end = Self.numberEnd(bytes, from: index)
                note(index..<end, in: bytes)
                index = end
                continue
            default: break
            }
            guard valueCount <= limits.valueCount else {
                throw .invalid(position: index, reason: "more than \(limits.valueCount) values")
            }
            index += 1
        }
        if !hasLongNumber { numbers = [] }
    }

    private static func numberEnd(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
                UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
                index += 1
            default: return index
            }
        }
        return index
    }

    /// Records a number; skips an invalid number, because libjansson reports it.
    private mutating func note(_ range: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) {
        let text = bytes[range]
        guard Self.isNumber(text) else { return }
        numbers.append(range)
        let isPlain = text.allSatisfy { $0 == UInt8(ascii: "-") || $0 &- 0x30 < 10 }
        let isMinusZero = text.count == 2 && text.last == UInt8(ascii: "0") && text.first == 0x2D
        if !isPlain || isMinusZero || range.count > 18 { hasLongNumber = true }
    }

    /// Returns whether the text is a valid number according to RFC 8259.
    private static func isNumber(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var rest = text
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        let startsWithZero = rest.first == UInt8(ascii: "0")
        let whole = digits(&rest)
        guard whole > 0, whole == 1 || !startsWithZero else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard digits(&rest) > 0 else { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
                rest.removeFirst()
            }
            guard digits(&rest) > 0 else { return false }
        }
        return rest.isEmpty
    }

    private static func digits(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        let count = rest.prefix { $0 &- 0x30 < 10 }.count
        rest.removeFirst(count)
        return count
    }
}
