import Testing

@testable import ImageLoading

@Suite struct FreshnessTests {
    private static let hour = ResponseScene.hour
    private static let day = ResponseScene.day
    private let freshness = Freshness(silentLifetime: 7 * ResponseScene.day)

    // MARK: Age (RFC 9111, 4.2.3)

    private static let ages: [(ResponseScene, Int)] = [
        (ResponseScene(name: "just made"), 0),
        (ResponseScene(name: "resident for an hour", now: hour), hour),
        (ResponseScene(name: "spent 5 s in another cache", age: "5"), 5),
        (ResponseScene(name: "Age and residence add up", age: "5", now: 10), 15),
        (ResponseScene(name: "the answer took 3 s", sent: -3), 3),
        (ResponseScene(name: "delay adds to Age", age: "5", sent: -3), 8),
        (ResponseScene(name: "older by Date than by Age", date: -60, age: "5"), 60),
        (ResponseScene(name: "older by Age than by Date", date: -5, age: "60"), 60),
        (ResponseScene(name: "delay doesn't add to Date's word", date: -60, sent: -3), 60),
        (ResponseScene(name: "no Date: made when it came", date: nil, now: 7), 7),
        (ResponseScene(name: "no Date, but Age", date: nil, age: "9", now: 7), 16),
        (ResponseScene(name: "the server's clock is ahead by an hour", date: hour, now: 7), 7),
        (ResponseScene(name: "the server's clock is a day behind", date: -day, now: 7), day + 7),
        (ResponseScene(name: "Age is no number", age: "old", now: 7), 7),
        (ResponseScene(name: "Age is below zero", age: "-5", now: 7), 7),
        (ResponseScene(name: "Age is beyond all measure", age: "99999999999999999999"), 1 << 31),
        (
            ResponseScene(name: "our clock went back between request and answer", sent: 90, now: 7),
            7
        ),
        (ResponseScene(name: "our clock went back a little since", now: -60), 0),
        (
            ResponseScene(name: "our clock was far ahead: the age is unknown", now: -61),
            Freshness.limit
        ),
    ]

    @Test(arguments: ages)
    func `the age is computed as in RFC 9111, 4_2_3`(scene: ResponseScene, age: Int) {
        #expect(freshness.age(of: scene.response, at: scene.wallTime) == age)
    }

    // MARK: Lifetime (RFC 9111, 4.2.1 and 4.2.2)

    private static let lifetimes: [(ResponseScene, Int)] = [
        (ResponseScene(name: "max-age", control: "max-age=60"), 60),
        (
            ResponseScene(
                name: "max-age beats a later Expires",
                control: "max-age=60",
                expires: hour
            ), 60
        ),
        (
            ResponseScene(
                name: "max-age beats Expires: 0",
                control: "max-age=60",
                expiresText: "0"
            ), 60
        ),
        (ResponseScene(name: "max-age=0 beats Expires", control: "max-age=0", expires: hour), 0),
        (
            ResponseScene(
                name: "s-maxage is for shared caches",
                control: "s-maxage=9",
                expires: hour
            ), hour
        ),
        (
            ResponseScene(
                name: "an invalid max-age: stale",
                control: "max-age=x",
                expires: hour
            ), 0
        ),
        (ResponseScene(name: "Expires an hour after Date", expires: hour), hour),
        (ResponseScene(name: "Expires counts from Date", date: -600, expires: hour), hour + 600),
        (ResponseScene(name: "Expires at Date", expires: 0), 0),
        (ResponseScene(name: "Expires before Date", expires: -1), 0),
        (ResponseScene(name: "Expires: 0", expiresText: "0"), 0),
        (ResponseScene(name: "Expires: -1", expiresText: "-1"), 0),
        (
            ResponseScene(
                name: "Expires without Date counts from the answer",
                date: nil,
                expires: 9
            ), 9
        ),
        (ResponseScene(name: "Expires with a clock ahead", date: hour, expires: 2 * hour), hour),
        (
            ResponseScene(
                name: "Expires: 0 beats Last-Modified",
                expiresText: "0",
                changed: -10 * day
            ), 0
        ),
        (ResponseScene(name: "a tenth of the time since the last change", changed: -10 * day), day),
        (ResponseScene(name: "at most a week", changed: -3650 * day), 7 * day),
        (ResponseScene(name: "changed this moment", changed: 0), 0),
        (ResponseScene(name: "changed in the future", changed: hour), 0),
        (ResponseScene(name: "a guess without Date", date: nil, changed: -100), 10),
        (ResponseScene(name: "public alone says nothing", control: "public", changed: -100), 10),
        (ResponseScene(name: "nothing at all: as long as the disk keeps it"), 7 * day),
        (ResponseScene(name: "immutable alone says nothing", control: "immutable"), 7 * day),
        (ResponseScene(name: "the longest max-age", control: "max-age=9999999999"), 1 << 31),
    ]

    @Test(arguments: lifetimes)
    func `the lifetime is computed as in RFC 9111, 4_2_1`(scene: ResponseScene, lifetime: Int) {
        #expect(freshness.lifetime(of: scene.response) == lifetime)
    }

    @Test func `a body with an entity tag and without dates is fresh until the session ends`() {
        var response = ResponseScene(name: "a tag").response
        response.entityTag = EntityTag("\"a\"")
        let received = response.times.response
        let decisions = [received - 1, received, received + 9].map { start in
            Freshness(silentLifetime: 60, sessionStart: start)
                .decision(for: response, request: [], at: received + 9)
        }

        #expect(
            decisions == [.fresh, .mayServeOnError(.noAnswer), .mayServeOnError(.noAnswer)]
        )
    }

    @Test func `without an age limit a body without expiry fields is fresh forever`() {
        let eternal = Freshness(silentLifetime: nil)
        let scene = ResponseScene(name: "a thousand years", now: 365_000 * Self.day)

        #expect(eternal.staleness(of: scene.response, at: scene.wallTime) < 0)
    }

    // MARK: Fresh or not

    private static let stalenesses: [(ResponseScene, Int)] = [
        (ResponseScene(name: "the last second", control: "max-age=60", now: 59), -1),
        (ResponseScene(name: "stale when age reaches lifetime", control: "max-age=60", now: 60), 0),
        (ResponseScene(name: "Age eats the lifetime up", control: "max-age=60", age: "60"), 0),
        (ResponseScene(name: "Date eats it up", control: "max-age=60", date: -61), 1),
        (
            ResponseScene(name: "a server behind by an hour", date: -hour, expires: -hour + 60),
            hour - 60
        ),
        (
            ResponseScene(
                name: "a server ahead by an hour",
                date: hour,
                expires: hour + 60,
                now: 30
            ), -30
        ),
    ]

    @Test(arguments: stalenesses)
    func `staleness is age beyond lifetime`(scene: ResponseScene, staleness: Int) {
        #expect(freshness.staleness(of: scene.response, at: scene.wallTime) == staleness)
    }
}
