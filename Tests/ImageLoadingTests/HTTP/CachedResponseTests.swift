@testable import ImageLoading
import ImageLoadingTesting
import Testing

@Suite struct CachedResponseTests {
    private static let times = ExchangeTimes(request: 784_111_776, response: 784_111_780)

    @Test func `the fields needed to reuse a body are read from a head`() throws {
        let head = TransferHead(
            status: 200,
            expectedByteCount: 5,
            headers: [
                "etag": "\"v1\"", "last-modified": "Sun, 06 Nov 1994 07:49:37 GMT",
                "date": "Sun, 06 Nov 1994 08:49:37 GMT", "age": "12",
                "expires": "Sun, 06 Nov 1994 09:49:37 GMT", "cache-control": "max-age=60",
                "vary": "Accept", "content-type": "image/png", "set-cookie": "hush",
            ]
        )

        let response = CachedResponse(head, of: [HeaderField("Accept", "*/*")], times: Self.times)

        #expect(response.status == 200)
        #expect(response.entityTag == EntityTag("\"v1\""))
        #expect(response.lastModified == 784_108_177)
        #expect(response.date == 784_111_777)
        #expect(response.age == 12)
        #expect(response.expires == 784_115_377)
        #expect(response.cacheControl.maximumAge == 60)
        #expect(response.vary.names == ["accept"])
        #expect(response.contentType == "image/png")
        #expect(response.times == Self.times)
        #expect(response.mayBeStored)
        #expect(!response.conditionalFields(for: [HeaderField("Accept", "*/*")]).isEmpty)
        #expect(CachedResponse(decoding: response.encoded()) == response)
        #expect(response.encoded().count < 200)
    }

    @Test func `a head without fields gives a response without them`() {
        let head = TransferHead(status: 200, expectedByteCount: nil)

        let response = CachedResponse(head, of: [], times: Self.times)

        #expect(response == CachedResponse(times: Self.times))
        #expect(response.conditionalFields(for: []).isEmpty)
    }

    @Test(arguments: ["0", "-1", "", "never", "Sun, 06 Nov 1994 08:49:37 CET"])
    func `an invalid Expires is in the past`(text: String) {
        let head = TransferHead(status: 200, expectedByteCount: nil, headers: ["expires": text])

        #expect(CachedResponse(head, of: [], times: Self.times).expires == 0)
    }

    @Test(arguments: [
        ("12", 12), ("0", 0), ("-1", nil), ("x", nil), ("", nil), ("1.5", nil), ("12, 13", 12),
        ("99999999999999999999", 1 << 31),
    ])
    func `an invalid Age is ignored`(text: String, seconds: Int?) {
        let head = TransferHead(status: 200, expectedByteCount: nil, headers: ["age": text])

        #expect(CachedResponse(head, of: [], times: Self.times).age == seconds)
    }

    @Test func `excess fields are dropped, so that 4 KiB are never exceeded`() {
        let long = String(repeating: "a", count: 100_000)
        let head = TransferHead(
            status: 200,
            expectedByteCount: nil,
            headers: ["etag": "\"\(long)\"", "content-type": long, "vary": long]
        )

        let response = CachedResponse(head, of: [], times: Self.times)

        #expect(response.entityTag == nil && response.contentType == nil)
        #expect(!response.vary.matches([]))
        #expect(CachedResponse(decoding: response.encoded()) == response)
    }

    @Test func `the longest possible fields fit together`() {
        var response = Self.extreme()
        response.vary = VaryRule(
            (0..<70).map { "x-field-\($0 + 1000)" }.joined(separator: ","),
            of: []
        )

        #expect(response.vary.names.count == 70)
        #expect(response.encoded().count <= 4096)
        #expect(CachedResponse(decoding: response.encoded()) == response)
    }

    @Test(arguments: [31, 32, 33, 34] as [UInt64])
    func `an encoded response is decoded unchanged`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)

        for _ in 0..<500 {
            let response = CachedResponse.random(using: &generator)
            let bytes = response.encoded()
            #expect(bytes.count <= 4096, "seed \(seed)")
            #expect(CachedResponse(decoding: bytes) == response, "seed \(seed)")
        }
    }

    @Test(arguments: [41, 42, 43, 44] as [UInt64])
    func `damaged bytes are refused or decoded to a response that the rules accept`(
        seed: UInt64
    ) {
        var generator = SeededGenerator(seed: seed)
        var readCount = 0

        for _ in 0..<2000 {
            let bytes = damaged(CachedResponse.random(using: &generator).encoded(), &generator)
            guard let response = CachedResponse(decoding: bytes) else { continue }
            readCount += 1
            let now = Int.random(in: .min ... .max, using: &generator)
            let freshness = Freshness(silentLifetime: .random(in: .min ... .max, using: &generator))
            #expect(freshness.age(of: response, at: now) >= 0, "seed \(seed): \(bytes)")
            #expect(freshness.lifetime(of: response) >= 0, "seed \(seed): \(bytes)")
            _ = freshness.decision(for: response, request: [], at: now)
            _ = response.conditionalFields(for: [])
            #expect(response.encoded().count <= 4096, "seed \(seed): \(bytes)")
        }
        #expect(readCount > 100)
    }

    @Test(arguments: [51, 52] as [UInt64])
    func `random bytes of any length are refused or read`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)

        for _ in 0..<2000 {
            let count = Int.random(in: 0...200, using: &generator)
            let noise = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            let read = CachedResponse(decoding: noise)
            #expect(read.map { $0.encoded().count <= 4096 } ?? true, "seed \(seed): \(noise)")
            _ = PartialBody(bytes: [1], metadata: noise)
        }
    }

    @Test func `bytes of another version, no bytes and too many bytes are refused`() {
        let bytes = CachedResponse(times: Self.times).encoded()

        #expect(CachedResponse(decoding: []) == nil)
        #expect(CachedResponse(decoding: [bytes[0] &+ 1] + bytes.dropFirst()) == nil)
        #expect(CachedResponse(decoding: Array(bytes.dropLast())) == nil)
        #expect(CachedResponse(decoding: bytes + [0]) == nil)
        #expect(CachedResponse(decoding: [UInt8](repeating: bytes[0], count: 5000)) == nil)
    }

    @Test func `a field of a later version is skipped`() {
        let bytes = CachedResponse(times: Self.times).encoded()

        let read = CachedResponse(decoding: bytes + [200, 2, 0, 7, 7])

        #expect(read == CachedResponse(times: Self.times))
    }

    private static func extreme() -> CachedResponse {
        var response = CachedResponse(times: times)
        let tag = String(repeating: "t", count: EntityTag.byteLimit)
        response.entityTag = EntityTag("W/\"\(tag)\"")
        response.contentType = String(repeating: "c", count: CachedResponse.contentTypeLimit)
        response.lastModified = .max
        response.date = .min
        response.age = .max
        response.expires = .min
        return response
    }

    private func damaged(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let index = Int.random(in: bytes.indices, using: &generator)
            bytes[index] = .random(in: .min ... .max, using: &generator)
        }
        return Bool.random(using: &generator)
            ? bytes : Array(bytes.prefix(.random(in: 0...bytes.count, using: &generator)))
    }
}

@Suite struct EntityTagTests {
    @Test(arguments: [
        ("\"a\"", "a", false), ("W/\"a\"", "a", true), ("\"\"", "", false),
        ("\"W/a\"", "W/a", false), ("\"a,b/=~!\"", "a,b/=~!", false),
    ])
    func `a tag is read and written unchanged`(field: String, opaque: String, isWeak: Bool) {
        let tag = EntityTag(field)

        #expect(tag?.opaque == opaque)
        #expect(tag?.isWeak == isWeak)
        #expect(tag?.fieldValue == field)
    }

    @Test(arguments: [
        "", "a", "\"", "\"a", "a\"", "w/\"a\"", "W/", "W/a", "W/ \"a\"", "\"a\"b\"", "\"a b\"",
        "\"\u{7F}\"", "\"é\"", "\"\u{FFFD}\"", "\"a\", \"b\"", "*", "\"a\r\nX: y\"",
    ])
    func `an invalid tag is refused`(field: String) {
        #expect(EntityTag(field) == nil)
    }

    @Test func `a tag that is too long is refused`() {
        let longest = String(repeating: "a", count: EntityTag.byteLimit)

        #expect(EntityTag("\"\(longest)\"") != nil)
        #expect(EntityTag("\"\(longest)a\"") == nil)
    }

    // RFC 9110, 8.8.3.2, the table.
    @Test(arguments: [
        ("W/\"1\"", "W/\"1\"", false, true), ("W/\"1\"", "W/\"2\"", false, false),
        ("W/\"1\"", "\"1\"", false, true), ("\"1\"", "\"1\"", true, true),
        ("\"1\"", "\"2\"", false, false),
    ])
    func `tags compare as in the RFC's table`(
        one: String,
        other: String,
        strongly: Bool,
        weakly: Bool
    ) throws {
        let one = try #require(EntityTag(one))
        let other = try #require(EntityTag(other))

        #expect(one.stronglyMatches(other) == strongly)
        #expect(other.stronglyMatches(one) == strongly)
        #expect(one.weaklyMatches(other) == weakly)
        #expect(other.weaklyMatches(one) == weakly)
    }
}
