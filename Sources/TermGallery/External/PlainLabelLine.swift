import Glibc
import ImageLoading

/// A fast parser for label lines in the format that this program writes.
///
/// Such a line is a flat JSON object whose values are strings without escapes, a digit or null.
/// Parsing a million such lines takes less than a second; `JSONDecoder` takes five seconds.
/// `JSONDecoder` parses lines in any other format.
struct PlainLabelLine {
    private var url: String?
    private var path: UnsafeBufferPointer<UInt8>?
    private(set) var address = ""
    private(set) var label: UInt8?
    private var hasLabel = false

    /// Parses a line, or returns nil if the line has a different format or lacks an image or a
    /// label.
    init?(_ line: UnsafeBufferPointer<UInt8>) {
        var scanner = Scanner(bytes: line)
        guard scanner.take("{") else { return nil }
        repeat {
            guard let key = scanner.string(), scanner.take(":"),
                set(key, from: &scanner)
            else { return nil }
        } while scanner.take(",")
        guard scanner.take("}"), scanner.isAtEnd, hasLabel,
            let address = url ?? path.map(PercentCoding.fileURL)
        else { return nil }
        self.address = address
        path = nil
    }

    private mutating func set(
        _ key: UnsafeBufferPointer<UInt8>,
        from scanner: inout Scanner
    ) -> Bool {
        if Self.isEqual(key, "label") {
            hasLabel = true
            label = scanner.digit()
            return label != nil || scanner.takeNull()
        }
        guard let value = scanner.string() else { return false }
        if Self.isEqual(key, "url") {
            url = String(validating: value, as: UTF8.self)
            return url != nil
        } else if Self.isEqual(key, "path") {
            path = value
            return value.allSatisfy { $0 < 0x80 } || String(validating: value, as: UTF8.self) != nil
        }
        return true
    }

    private static func isEqual(_ key: UnsafeBufferPointer<UInt8>, _ name: StaticString) -> Bool {
        guard key.count == name.utf8CodeUnitCount, let start = key.baseAddress else { return false }
        return memcmp(start, name.utf8Start, key.count) == 0
    }

    private struct Scanner {
        let bytes: UnsafeBufferPointer<UInt8>
        var position = 0

        var isAtEnd: Bool { position == bytes.count }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard position < bytes.count, bytes[position] == UInt8(ascii: character) else {
                return false
            }
            position += 1
            return true
        }

        mutating func takeNull() -> Bool {
            guard bytes[position...].starts(with: "null".utf8) else { return false }
            position += 4
            return true
        }

        /// Reads a label, a digit from 1 to 9.
        mutating func digit() -> UInt8? {
            guard position < bytes.count, (0x31...0x39).contains(bytes[position]) else {
                return nil
            }
            position += 1
            return bytes[position - 1] - 0x30
        }

        /// Reads a string, and returns its content or nil if it contains escapes.
        mutating func string() -> UnsafeBufferPointer<UInt8>? {
            guard take("\""), let start = bytes.baseAddress.map({ $0 + position }),
                let end = memchr(start, 0x22, bytes.count - position)
            else { return nil }
            let count = UnsafeRawPointer(end) - UnsafeRawPointer(start)
            // The loop has no branches, so the compiler can test many bytes at a time.
            var escapes: UInt8 = 0
            for index in 0..<count {
                let byte = start[index]
                escapes |= (byte == 0x5C ? 1 : 0) | (byte < 0x20 ? 1 : 0)
            }
            position += count + 1
            return escapes == 0 ? UnsafeBufferPointer(start: start, count: count) : nil
        }
    }
}
