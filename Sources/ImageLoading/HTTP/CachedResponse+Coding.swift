extension CachedResponse {
    private static let version: UInt8 = 0xC1

    private enum Tag {
        static let status: UInt8 = 1
        static let requestTime: UInt8 = 2
        static let responseTime: UInt8 = 3
        static let flags: UInt8 = 4
        static let maximumAge: UInt8 = 5
        static let staleWhileRevalidate: UInt8 = 6
        static let staleIfError: UInt8 = 7
        static let date: UInt8 = 8
        static let age: UInt8 = 9
        static let expires: UInt8 = 10
        static let lastModified: UInt8 = 11
        static let entityTag: UInt8 = 12
        static let varyNames: UInt8 = 13
        static let varyDigest: UInt8 = 14
        static let contentType: UInt8 = 15
    }

    private static let flags:
        [(bit: Int, path: any WritableKeyPath<CacheControl, Bool> & Sendable)] = [
            (1, \.forbidsStorage), (2, \.alwaysRevalidates), (4, \.mustRevalidate),
            (8, \.isImmutable), (16, \.isPublic), (32, \.isPrivate),
        ]

    /// The bytes to keep beside the body, at most 4 KiB; some 150 for an ordinary response.
    func encoded() -> [UInt8] {
        var fields = TaggedFields()
        fields[number: Tag.status] = status
        fields[number: Tag.requestTime] = times.request
        fields[number: Tag.responseTime] = times.response
        fields[number: Tag.date] = date
        fields[number: Tag.age] = age
        fields[number: Tag.expires] = expires
        fields[number: Tag.lastModified] = lastModified
        fields[text: Tag.entityTag] = entityTag?.fieldValue
        fields[text: Tag.contentType] = contentType
        encodeCacheControl(into: &fields)
        encodeVary(into: &fields)
        return fields.encoded(version: Self.version)
    }

    /// Reads what `encoded` wrote; nil for anything in which a needed field is missing.
    init?(decoding bytes: [UInt8]) {
        guard let fields = TaggedFields(decoding: bytes, version: Self.version),
            let status = fields[number: Tag.status], let sent = fields[number: Tag.requestTime],
            let answered = fields[number: Tag.responseTime],
            let cacheControl = Self.cacheControl(from: fields)
        else { return nil }
        self.init(status: status, times: ExchangeTimes(request: sent, response: answered))
        self.cacheControl = cacheControl
        date = fields[number: Tag.date]
        age = fields[number: Tag.age]
        expires = fields[number: Tag.expires]
        lastModified = fields[number: Tag.lastModified]
        entityTag = fields[text: Tag.entityTag].flatMap { EntityTag($0) }
        contentType = fields[text: Tag.contentType]
        vary = Self.vary(from: fields)
    }

    // MARK: Parts

    private func encodeCacheControl(into fields: inout TaggedFields) {
        fields[number: Tag.maximumAge] = cacheControl.maximumAge
        fields[number: Tag.staleWhileRevalidate] = cacheControl.staleWhileRevalidate
        fields[number: Tag.staleIfError] = cacheControl.staleIfError
        fields[number: Tag.flags] = Self.flags.reduce(0) { bits, flag in
            cacheControl[keyPath: flag.path] ? bits | flag.bit : bits
        }
    }

    private static func cacheControl(from fields: TaggedFields) -> CacheControl? {
        guard let bits = fields[number: Tag.flags] else { return nil }
        var cacheControl = CacheControl()
        cacheControl.maximumAge = fields[number: Tag.maximumAge]
        cacheControl.staleWhileRevalidate = fields[number: Tag.staleWhileRevalidate]
        cacheControl.staleIfError = fields[number: Tag.staleIfError]
        for flag in flags {
            cacheControl[keyPath: flag.path] = bits & flag.bit != 0
        }
        return cacheControl
    }

    private func encodeVary(into fields: inout TaggedFields) {
        guard !vary.names.isEmpty else { return }
        fields[text: Tag.varyNames] = vary.names.joined(separator: ",")
        fields[bytes: Tag.varyDigest] = vary.digest
    }

    private static func vary(from fields: TaggedFields) -> VaryRule {
        guard let names = fields[text: Tag.varyNames] else { return .none }
        return VaryRule(
            names: names.split(separator: ",").map(String.init),
            digest: fields[bytes: Tag.varyDigest] ?? []
        )
    }
}

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
