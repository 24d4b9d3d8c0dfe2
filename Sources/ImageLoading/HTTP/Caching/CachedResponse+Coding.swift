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
