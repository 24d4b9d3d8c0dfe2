import ImageLoadingTesting
import Testing

@testable import ImageLoading

@Suite struct CacheControlTests {
    @Test func `every directive for a private cache is read`() {
        let rules = CacheControl(
            "public, private, no-store, no-cache, must-revalidate, immutable, max-age=60, "
                + "stale-while-revalidate=30, stale-if-error=86400"
        )

        #expect(rules.isPublic && rules.isPrivate && rules.forbidsStorage)
        #expect(rules.alwaysRevalidates && rules.mustRevalidate && rules.isImmutable)
        #expect(rules.maximumAge == 60)
        #expect(rules.staleWhileRevalidate == 30)
        #expect(rules.staleIfError == 86_400)
    }

    @Test(arguments: [
        ("max-age=60", 60), ("MAX-AGE=60", 60), ("max-age=\"60\"", 60), (" max-age = 60 ", 60),
        ("max-age=0", 0), ("max-age=060", 60),
        // An invalid number makes the response stale (RFC 9111, 4.2.1).
        ("max-age=", 0), ("max-age", 0), ("max-age=-1", 0), ("max-age=1.5", 0),
        ("max-age=abc", 0), ("max-age=60s", 0), ("max-age=\u{0663}", 0),
        // The first of two.
        ("max-age=1, max-age=2", 1), ("max-age=x, max-age=2", 0),
        // Limited to 2^31 (RFC 9111, 1.2.2).
        ("max-age=2147483648", 1 << 31), ("max-age=2147483649", 1 << 31),
        ("max-age=99999999999999999999999999", 1 << 31),
        // No valid `max-age`.
        ("s-maxage=60", nil), ("xmax-age=60", nil), ("", nil), (",,,", nil), ("=5", nil),
        ("ext=\"max-age=5\"", nil), ("ext=\"a, max-age=5\"", nil),
        ("ext=\"\\\", max-age=5\"", nil),
        // An unterminated quotation includes all following directives; a terminated one does not.
        ("ext=\"open, max-age=5", nil), ("ext=\"a\", max-age=5", 5),
        (";max-age=5", nil), ("no-transform,max-age=7,", 7),
    ])
    func `max-age is read as RFC 9111 requires`(field: String, seconds: Int?) {
        #expect(CacheControl(field).maximumAge == seconds)
    }

    @Test func `field names in no-cache and private make no difference`() {
        let rules = CacheControl("no-cache=\"Set-Cookie, X\", private=\"Set-Cookie\"")

        #expect(rules.alwaysRevalidates && rules.isPrivate)
    }

    @Test(arguments: ["stale-while-revalidate=x", "stale-while-revalidate", "stale-if-error=-3"])
    func `an invalid grace period gives no grace`(field: String) {
        let rules = CacheControl(field)

        #expect((rules.staleWhileRevalidate ?? 0, rules.staleIfError ?? 0) == (0, 0))
    }

    @Test(arguments: [21, 22, 23] as [UInt64])
    func `any number is within the bounds`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "max-age", "=", "\"", "\\", ",", " ", "9", "99999999999", "stale-if-error", "-", "é",
            "stale-while-revalidate",
        ]

        for _ in 0..<5000 {
            let count = Int.random(in: 0...12, using: &generator)
            let text = (0..<count).map { _ in
                pieces.randomElement(using: &generator) ?? ""
            }.joined()
            let rules = CacheControl(text)
            let numbers = [rules.maximumAge, rules.staleIfError, rules.staleWhileRevalidate]
            let isBounded = numbers.allSatisfy { (0...(1 << 31)).contains($0 ?? 0) }
            #expect(isBounded, "seed \(seed): \(text)")
        }
    }
}
