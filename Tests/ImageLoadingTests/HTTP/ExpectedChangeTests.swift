import ImageLoadingTesting
import Testing

@testable import ImageLoading

@Suite struct ExpectedChangeTests {
    private static let scenes: [(ResponseScene, Int?)] = [
        (ResponseScene(name: "nothing is said"), nil),
        (ResponseScene(name: "a camera's max-age", control: "max-age=10"), 10),
        (ResponseScene(name: "three seconds of it are over", control: "max-age=10", now: 3), 7),
        (ResponseScene(name: "all of it is over", control: "max-age=10", now: 60), 5),
        (ResponseScene(name: "less than we ask unasked", control: "max-age=1"), 5),
        (ResponseScene(name: "five minutes", control: "max-age=300"), 300),
        (ResponseScene(name: "more is a cache's word", control: "max-age=301"), nil),
        (ResponseScene(name: "Expires", expires: 20), 20),
        (ResponseScene(name: "Expires far away", expires: ResponseScene.day), nil),
        (ResponseScene(name: "never to change", control: "max-age=10, immutable"), nil),
        (ResponseScene(name: "to be checked each time", control: "no-cache"), nil),
        (ResponseScene(name: "stale at once", control: "max-age=0, must-revalidate"), nil),
        (ResponseScene(name: "Expires: 0", expiresText: "0"), nil),
        (ResponseScene(name: "changed just now", changed: 0), 5),
        (ResponseScene(name: "changed half a minute ago", changed: -30), 15),
        (ResponseScene(name: "changed two minutes ago", changed: -120), 60),
        (ResponseScene(name: "changed before", changed: -122), nil),
        (ResponseScene(name: "to be checked, and new", control: "no-cache", changed: -30), 15),
        (ResponseScene(name: "new, but good for a day", control: "max-age=86400", changed: 0), nil),
        (ResponseScene(name: "changed in the server's future", changed: 900), 5),
    ]

    @Test(arguments: scenes)
    func `a server's fields indicate that its image changes soon`(
        scene: ResponseScene,
        seconds: Int?
    ) {
        let freshness = Freshness(silentLifetime: nil)
        #expect(freshness.expectedChange(of: scene.response, at: scene.wallTime) == seconds)
    }

    @Test func `the interval is between five seconds and five minutes, for any fields`() {
        var generator = SeededGenerator(seed: 5)
        let freshness = Freshness(silentLifetime: nil)
        for _ in 0..<2000 {
            let response = CachedResponse.random(using: &generator)
            let time = freshness.expectedChange(
                of: response,
                at: .random(in: -9...1 << 41, using: &generator)
            )
            #expect(time.map { (5...300).contains($0) } ?? true)
        }
    }
}
