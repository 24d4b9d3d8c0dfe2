import Decoders
import Testing

@testable import ImageLoading

@Suite struct CacheDecisionTests {
    private typealias Row = (ResponseScene, CacheDecision)
    private static let swr = "max-age=60, stale-while-revalidate=30"
    private static let sie = "max-age=60, stale-if-error=300"
    private let freshness = Freshness(silentLifetime: 7 * ResponseScene.day)

    private static let decisions: [Row] = [
        (ResponseScene(name: "fresh", control: "max-age=60", now: 59), .fresh),
        (ResponseScene(name: "stale", control: "max-age=60", now: 60), .mayServeOnError(.noAnswer)),
        (ResponseScene(name: "no-store", control: "no-store, max-age=60"), .notStorable),
        (ResponseScene(name: "no-cache", control: "no-cache, max-age=60"), .mustRevalidate),
        (ResponseScene(name: "no-cache with fields", control: "no-cache=\"x\""), .mustRevalidate),
        (
            ResponseScene(name: "no-cache beats immutable", control: "no-cache, immutable"),
            .mustRevalidate
        ),
        (
            ResponseScene(name: "no-cache gives no grace", control: "no-cache, \(sie)"),
            .mustRevalidate
        ),
        (
            ResponseScene(
                name: "must-revalidate while fresh",
                control: "max-age=60, must-revalidate"
            ),
            .fresh
        ),
        (
            ResponseScene(
                name: "must-revalidate once stale",
                control: "max-age=0, must-revalidate"
            ),
            .mustRevalidate
        ),
        (
            ResponseScene(
                name: "must-revalidate beats grace",
                control: "\(swr), must-revalidate",
                now: 60
            ),
            .mustRevalidate
        ),
        (
            ResponseScene(
                name: "must-revalidate beats errors",
                control: "\(sie), must-revalidate",
                now: 60
            ),
            .mustRevalidate
        ),
        (ResponseScene(name: "proxy-revalidate", control: "max-age=9, proxy-revalidate"), .fresh),
        (ResponseScene(name: "private", control: "private, max-age=60"), .fresh),
        (ResponseScene(name: "SWR before it begins", control: swr, now: 59), .fresh),
        (ResponseScene(name: "SWR begins", control: swr, now: 60), .staleUsable),
        (ResponseScene(name: "SWR's last second", control: swr, now: 89), .staleUsable),
        (ResponseScene(name: "SWR has ended", control: swr, now: 90), .mayServeOnError(.noAnswer)),
        (ResponseScene(name: "SIE begins", control: sie, now: 60), .mayServeOnError(.serverErrors)),
        (
            ResponseScene(name: "SIE's last second", control: sie, now: 359),
            .mayServeOnError(.serverErrors)
        ),
        (ResponseScene(name: "SIE has ended", control: sie, now: 360), .mayServeOnError(.noAnswer)),
        (
            ResponseScene(name: "SWR then SIE", control: "\(swr), stale-if-error=99", now: 70),
            .staleUsable
        ),
        (
            ResponseScene(name: "SIE after SWR", control: "\(swr), stale-if-error=99", now: 95),
            .mayServeOnError(.serverErrors)
        ),
        (ResponseScene(name: "Expires: 0", expiresText: "0"), .mayServeOnError(.noAnswer)),
        (ResponseScene(name: "nothing said, fresh", now: 7 * ResponseScene.day - 1), .fresh),
        (
            ResponseScene(name: "nothing said, stale", now: 7 * ResponseScene.day),
            .mayServeOnError(.noAnswer)
        ),
        (
            ResponseScene(name: "our clock was far ahead", control: "max-age=60", now: -100),
            .mayServeOnError(.noAnswer)
        ),
    ]

    @Test(arguments: decisions)
    func `a response may be used as RFC 9111 and 5861 permit`(
        scene: ResponseScene,
        expected: CacheDecision
    ) {
        let now = scene.wallTime
        #expect(freshness.decision(for: scene.response, request: [], at: now) == expected)
    }

    private static let refreshes: [Row] = [
        (
            ResponseScene(name: "fresh is asked about", control: "max-age=60"),
            .mayServeOnError(.serverErrors)
        ),
        (ResponseScene(name: "immutable is not", control: "max-age=60, immutable"), .fresh),
        (
            ResponseScene(
                name: "immutable is once stale",
                control: "max-age=60, immutable",
                now: 60
            ),
            .mayServeOnError(.noAnswer)
        ),
        (
            ResponseScene(name: "grace is no answer to a refresh", control: swr, now: 60),
            .mayServeOnError(.noAnswer)
        ),
        (
            ResponseScene(
                name: "must-revalidate while fresh",
                control: "max-age=60, must-revalidate"
            ),
            .mayServeOnError(.serverErrors)
        ),
        (ResponseScene(name: "no-store", control: "no-store, immutable"), .notStorable),
        (ResponseScene(name: "no-cache", control: "no-cache, immutable"), .mustRevalidate),
    ]

    // M15
    @Test(arguments: refreshes)
    func `a refresh asks unless the response is immutable`(
        scene: ResponseScene,
        expected: CacheDecision
    ) {
        let decision = freshness.decision(
            for: scene.response,
            request: [],
            isRefresh: true,
            at: scene.wallTime
        )
        #expect(decision == expected)
    }

    @Test func `a response selected by other fields must be revalidated`() {
        var response = ResponseScene(name: "", control: "max-age=60").response
        let accept = [HeaderField("Accept", "image/png")]
        response.vary = VaryRule("Accept", of: accept)
        let now = ResponseScene.noon

        #expect(freshness.decision(for: response, request: accept, at: now) == .fresh)
        #expect(freshness.decision(for: response, request: [], at: now) == .mustRevalidate)
    }

    // MARK: Errors

    private static let failures: [(ImageLoadingError, Bool, Bool)] = [
        (error(.offline, .transport(TransferFailure(.noNetwork, text: ""))), true, true),
        (error(.transient, .transport(TransferFailure(.timedOut, text: ""))), true, true),
        (error(.transient, .lengthMismatch(received: 1, expected: 2)), true, true),
        (error(.transient, .hostUnavailable(host: "h", seconds: 9)), true, true),
        (error(.policy, .hostUnavailable(host: "h", seconds: 9)), true, true),
        (error(.transient, .remembered(text: "", seconds: 9), .request), true, true),
        (error(.transient, .httpStatus(500)), false, true),
        (error(.transient, .httpStatus(503)), false, true),
        (error(.transient, .httpStatus(429)), false, false),
        (error(.permanent, .httpStatus(404)), false, false),
        (error(.permanent, .httpStatus(410)), false, false),
        (error(.permanent, .httpStatus(403)), false, false),
        (error(.permanent, .remembered(text: "", seconds: 9), .request), false, false),
        (error(.permanent, .tooLarge(limit: 1)), false, false),
        (error(.policy, .downloadForbidden, .request), false, false),
        (error(.cancelled, .cancelled, .request), false, false),
        (error(.permanent, .decoding(.empty), .decode), false, false),
    ]

    // M19
    @Test(arguments: failures)
    func `after a failure a stale response is used if the failure is covered`(
        error: ImageLoadingError,
        withoutAnswer: Bool,
        withServerErrors: Bool
    ) {
        #expect(CacheDecision.mayServeOnError(.noAnswer).allowsUse(after: error) == withoutAnswer)
        let covering: [CacheDecision] = [.mayServeOnError(.serverErrors), .fresh, .staleUsable]
        for decision in covering {
            #expect(decision.allowsUse(after: error) == withServerErrors)
        }
        #expect(!CacheDecision.mustRevalidate.allowsUse(after: error))
        #expect(!CacheDecision.notStorable.allowsUse(after: error))
    }

    private static func error(
        _ kind: ImageLoadingError.Class,
        _ reason: ImageLoadingError.Reason,
        _ stage: ImageLoadingError.Stage = .download
    ) -> ImageLoadingError {
        ImageLoadingError(stage: stage, kind: kind, reason: reason)
    }
}
