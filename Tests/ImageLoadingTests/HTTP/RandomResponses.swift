import ImageLoadingTesting

@testable import ImageLoading

extension CachedResponse {
    /// Any response, likely and unlikely values alike.
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
