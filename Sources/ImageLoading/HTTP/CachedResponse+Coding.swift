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

    /// Returns the bytes to store with the body: at most 4 KiB, but typically about 150 bytes.
    func encoded() -> [UInt8] {
        var fields = TaggedFields()
        fields[number: Tag.status] = status
        fields[number: Tag.requestTime] = times.request
        fields[number: Tag.responseTime] = times.response
        encodeCacheControl(into: &fields)
        fields[number: Tag.date] = date
        fields[number: Tag.age] = age
        fields[number: Tag.expires] = expires
        fields[number: Tag.lastModified] = lastModified
        fields[text: Tag.entityTag] = entityTag?.fieldValue
        encodeVary(into: &fields)
        fields[text: Tag.contentType] = contentType
        return fields.encoded(version: Self.version)
    }

    /// Creates a response from the result of `encoded`.
    ///
    /// Returns nil if the bytes are invalid or a required field is missing.
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
        fields[number: Tag.flags] = cacheControl.flags
        fields[number: Tag.maximumAge] = cacheControl.maximumAge
        fields[number: Tag.staleWhileRevalidate] = cacheControl.staleWhileRevalidate
        fields[number: Tag.staleIfError] = cacheControl.staleIfError
    }

    private static func cacheControl(from fields: TaggedFields) -> CacheControl? {
        guard let bits = fields[number: Tag.flags] else { return nil }
        var cacheControl = CacheControl()
        cacheControl.maximumAge = fields[number: Tag.maximumAge]
        cacheControl.staleWhileRevalidate = fields[number: Tag.staleWhileRevalidate]
        cacheControl.staleIfError = fields[number: Tag.staleIfError]
        cacheControl.flags = bits
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

/// A short list of numbered values, encoded as bytes.
///
///     version  1 byte
///     fields   each: tag 1 byte, length 2 bytes little-endian, value
///
/// Numbers are eight bytes, little-endian, two's complement. An unknown tag is skipped, so a later
/// version can add fields. Any other error makes the list invalid.
struct TaggedFields {
    /// The maximum length of an encoded list in bytes.
    static let byteLimit = 4 << 10

    /// The encoded fields, sorted by tag.
    ///
    /// One array is faster than an array of arrays.
    private var bytes: [UInt8] = []

    init() {}

    /// Decodes a list of fields.
    ///
    /// Returns nil if the version differs, if the length of a field exceeds the remaining bytes, or
    /// if the list is too long.
    init?(decoding bytes: [UInt8], version: UInt8) {
        guard bytes.count <= Self.byteLimit, bytes.first == version else { return nil }
        var rest = bytes.dropFirst()
        while !rest.isEmpty {
            guard rest.count >= 3, let tag = rest.popFirst(), let low = rest.popFirst(),
                let high = rest.popFirst(), rest.count >= Int(low) | Int(high) << 8
            else { return nil }
            let length = Int(low) | Int(high) << 8
            set(tag, rest.prefix(length))
            rest = rest.dropFirst(length)
        }
    }

    /// Returns the encoded fields, sorted by tag; omits a field that would exceed `byteLimit`.
    func encoded(version: UInt8) -> [UInt8] {
        guard bytes.count >= Self.byteLimit else { return [version] + bytes }
        return fields.reduce(into: [version]) { result, field in
            guard field.whole.count + result.count <= Self.byteLimit else { return }
            result += bytes[field.whole]
        }
    }

    // MARK: Places

    private struct Field {
        let tag: UInt8
        /// The range of the encoded field, including its tag and length.
        let whole: Range<Int>

        var value: Range<Int> { whole.dropFirst(3) }
    }

    private var fields: some Sequence<Field> {
        sequence(state: 0) { [bytes] place -> Field? in
            guard place + 3 <= bytes.count else { return nil }
            let length = Int(bytes[place + 1]) | Int(bytes[place + 2]) << 8
            defer { place += 3 + length }
            return Field(tag: bytes[place], whole: place..<place + 3 + length)
        }
    }

    /// Sets or removes a field; a value that is too long for the 2-byte length is omitted.
    private mutating func set(_ tag: UInt8, _ value: (some Collection<UInt8>)?) {
        let old = fields.first { $0.tag >= tag }
        if let old, old.tag == tag { bytes.removeSubrange(old.whole) }
        guard let value, value.count <= UInt16.max else { return }
        let head = [tag, UInt8(value.count & 0xFF), UInt8(value.count >> 8)]
        let place = old?.whole.lowerBound ?? bytes.count
        bytes.insert(contentsOf: head, at: place)
        bytes.insert(contentsOf: value, at: place + 3)
    }

    // MARK: Values

    subscript(bytes tag: UInt8) -> [UInt8]? {
        get { fields.first { $0.tag == tag }.map { Array(bytes[$0.value]) } }
        set { set(tag, newValue) }
    }

    subscript(number tag: UInt8) -> Int? {
        get {
            guard let field = fields.first(where: { $0.tag == tag }), field.value.count == 8 else {
                return nil
            }
            let bits = bytes[field.value].reversed().reduce(0) { $0 << 8 | UInt64($1) }
            return Int(Int64(bitPattern: bits))
        }
        set {
            guard let newValue else { return set(tag, [UInt8]?.none) }
            withUnsafeBytes(of: Int64(newValue).littleEndian) { set(tag, $0) }
        }
    }

    subscript(text tag: UInt8) -> String? {
        get {
            let field = fields.first { $0.tag == tag }
            return field.flatMap { String(validating: bytes[$0.value], as: UTF8.self) }
        }
        set { set(tag, newValue?.utf8) }
    }
}

extension CacheControl {
    /// The directives that have no value, encoded as one bit each.
    fileprivate var flags: Int {
        get {
            (forbidsStorage ? 1 : 0) | (alwaysRevalidates ? 2 : 0) | (mustRevalidate ? 4 : 0)
                | (isImmutable ? 8 : 0) | (isPublic ? 16 : 0) | (isPrivate ? 32 : 0)
        }
        set {
            forbidsStorage = newValue & 1 != 0
            alwaysRevalidates = newValue & 2 != 0
            mustRevalidate = newValue & 4 != 0
            isImmutable = newValue & 8 != 0
            isPublic = newValue & 16 != 0
            isPrivate = newValue & 32 != 0
        }
    }
}
