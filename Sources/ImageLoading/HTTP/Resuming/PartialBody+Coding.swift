extension PartialBody {
    private static let version: UInt8 = 0xB1

    private enum Tag {
        static let validator: UInt8 = 1
        static let totalByteCount: UInt8 = 2
        static let byteCount: UInt8 = 3
        static let response: UInt8 = 4
    }

    /// What to keep beside the bytes on disk, at most 4 KiB; no secrets.
    var metadata: [UInt8] {
        var fields = TaggedFields()
        fields[text: Tag.validator] = validator
        fields[number: Tag.totalByteCount] = totalByteCount
        fields[number: Tag.byteCount] = bytes.count
        fields[bytes: Tag.response] = response?.encoded()
        return fields.encoded(version: Self.version)
    }

    /// Joins bytes with what `metadata` said of them; nil if they don't fit together.
    init?(bytes: [UInt8], metadata: [UInt8]) {
        guard let fields = TaggedFields(decoding: metadata, version: Self.version),
            let validator = fields[text: Tag.validator], Self.isUsable(validator),
            fields[number: Tag.byteCount] == bytes.count, !bytes.isEmpty
        else { return nil }
        let total = fields[number: Tag.totalByteCount]
        guard bytes.count < total ?? Int.max else { return nil }
        self.init(bytes: bytes, validator: validator, totalByteCount: total)
        response = fields[bytes: Tag.response].flatMap { CachedResponse(decoding: $0) }
    }

    /// A strong tag or a date, as both go into a request.
    private static func isUsable(_ validator: String) -> Bool {
        if let tag = EntityTag(validator) { return !tag.isWeak }
        return HTTPDate(validator) != nil
    }
}
