/// A short list of numbered values as bytes.
///
///     version  1 byte
///     fields   each: tag 1 byte, length 2 bytes little-endian, value
///
/// Numbers are eight bytes, little-endian, two's complement. An unknown tag is skipped, so that a
/// later program can add fields; anything else that doesn't fit makes the whole unreadable.
struct TaggedFields {
    /// The most bytes that are read or written.
    static let byteLimit = 4 << 10

    private var values: [UInt8: [UInt8]] = [:]

    init() {}

    /// Nil for another version, for a length that leads past the end, and for too many bytes.
    init?(decoding bytes: [UInt8], version: UInt8) {
        guard bytes.count <= Self.byteLimit, bytes.first == version else { return nil }
        var rest = bytes.dropFirst()
        while !rest.isEmpty {
            guard rest.count >= 3, let tag = rest.popFirst(), let low = rest.popFirst(),
                let high = rest.popFirst(), rest.count >= Int(low) | Int(high) << 8
            else { return nil }
            let length = Int(low) | Int(high) << 8
            values[tag] = Array(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
    }

    /// Fields in the order of their tags; one that would lead past the limit is left out.
    func encoded(version: UInt8) -> [UInt8] {
        values.keys.sorted().reduce(into: [version]) { bytes, tag in
            guard let value = values[tag], value.count + 3 + bytes.count <= Self.byteLimit else {
                return
            }
            bytes += [tag, UInt8(value.count & 0xFF), UInt8(value.count >> 8)] + value
        }
    }

    // MARK: Values

    subscript(bytes tag: UInt8) -> [UInt8]? {
        get { values[tag] }
        set { values[tag] = newValue }
    }

    subscript(number tag: UInt8) -> Int? {
        get {
            guard let bytes = values[tag], bytes.count == 8 else { return nil }
            let bits = bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
            return Int(Int64(bitPattern: bits))
        }
        set {
            values[tag] = newValue.map { number in
                let bits = UInt64(bitPattern: Int64(number))
                return (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
            }
        }
    }

    subscript(text tag: UInt8) -> String? {
        get { values[tag].flatMap { String(validating: $0, as: UTF8.self) } }
        set { values[tag] = newValue.map { Array($0.utf8) } }
    }
}
