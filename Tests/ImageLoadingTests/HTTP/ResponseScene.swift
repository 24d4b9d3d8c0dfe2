@testable import ImageLoading
import ImageLoadingTesting
import Testing

/// A stored response and the time at which it is used, as a row of a table.
///
/// Times are relative to noon; the response arrived at 0 unless specified otherwise.
struct ResponseScene: Sendable, CustomTestStringConvertible {
    /// 1994-11-06 12:00:00 UTC.
    static let noon = 784_123_200
    static let hour = 3600
    static let day = 86_400

    let name: String
    var control = ""
    /// The time in Date, as an offset from noon; nil if there is no Date.
    var date: Int? = 0
    var age: String?
    /// An offset from noon.
    var expires: Int?
    /// The exact text of the field, instead of `expires`.
    var expiresText: String?
    /// An offset from noon.
    var changed: Int?
    /// When the request was sent.
    var sent = 0
    /// The time at which the response is used.
    var now = 0

    var testDescription: String { name }

    var response: CachedResponse {
        let times = ExchangeTimes(request: Self.noon + sent, response: Self.noon)
        return CachedResponse(head, of: [], times: times)
    }

    var wallTime: Int { Self.noon + now }

    private var head: TransferHead {
        var headers: [String: String] = [:]
        headers["cache-control"] = control.isEmpty ? nil : control
        headers["date"] = date.map(Self.text)
        headers["age"] = age
        headers["expires"] = expires.map(Self.text) ?? expiresText
        headers["last-modified"] = changed.map(Self.text)
        return TransferHead(status: 200, expectedByteCount: nil, headers: headers)
    }

    private static func text(_ offset: Int) -> String { HTTPDate(seconds: noon + offset).text }
}

extension CachedResponse {
    /// Returns a random response, with likely and unlikely values.
    static func random(using generator: inout SeededGenerator) -> CachedResponse {
        let times = ExchangeTimes(
            request: .unlikely(using: &generator),
            response: .unlikely(using: &generator)
        )
        var response = CachedResponse(status: .unlikely(using: &generator), times: times)
        response.entityTag = ["\"a\"", "W/\"b\"", "\"\"", nil].randomElement(using: &generator)?
            .flatMap { EntityTag($0) }
        response.lastModified = .maybe(using: &generator)
        response.date = .maybe(using: &generator)
        response.age = .maybe(using: &generator)
        response.expires = .maybe(using: &generator)
        response.cacheControl = .random(using: &generator)
        response.contentType = ["image/png", "", "é", nil].randomElement(using: &generator) ?? nil
        let vary = ["accept", "x, y", "*", nil].randomElement(using: &generator) ?? nil
        response.vary = VaryRule(vary, of: [HeaderField("X", "1")])
        return response
    }
}

extension CacheControl {
    fileprivate static func random(using generator: inout SeededGenerator) -> CacheControl {
        var rules = CacheControl()
        rules.maximumAge = .maybe(using: &generator)
        rules.staleIfError = .maybe(using: &generator)
        rules.staleWhileRevalidate = .maybe(using: &generator)
        rules.forbidsStorage = .random(using: &generator)
        rules.alwaysRevalidates = .random(using: &generator)
        rules.mustRevalidate = .random(using: &generator)
        rules.isImmutable = .random(using: &generator)
        rules.isPublic = .random(using: &generator)
        rules.isPrivate = .random(using: &generator)
        return rules
    }
}

extension Int {
    fileprivate static func unlikely(using generator: inout SeededGenerator) -> Int {
        [0, 1, -1, .min, .max, 784_111_777, .random(in: .min ... .max, using: &generator)]
            .randomElement(using: &generator) ?? 0
    }
}

extension Int? {
    fileprivate static func maybe(using generator: inout SeededGenerator) -> Int? {
        Bool.random(using: &generator) ? .unlikely(using: &generator) : nil
    }
}
