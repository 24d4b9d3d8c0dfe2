@testable import ImageLoading
import Testing

/// Instructions of servers to automated programs: the examples in the documentation of search
/// engines, and the fields against use for training.
@Suite struct RobotsTagTests {
    @Test(
        arguments: [
            ("noindex", "noindex"), ("noimageindex, nofollow", "noimageindex"),
            ("nofollow, NoAI", "noai"), ("noimageai", "noimageai"), ("none", "none"),
            ("all", nil), ("nofollow", nil), ("", nil), (",,:,", nil),
            ("googlebot: nofollow", nil), ("otherbot: noindex, nofollow", nil),
            ("*: noindex", "noindex"), ("bot: none, *: noai", "noai"),
            ("noindex, otherbot: nofollow", "noindex"),
            ("unavailable_after: 25 Jun 2010 15:00:00 PST", nil),
            ("max-image-preview: large, noindex", "noindex"),
            ("noindexing", nil), ("  noindex\t", "noindex"),
        ] as [(String, String?)]
    )
    func `the directive that forbids the use is found`(value: String, word: String?) {
        #expect(RobotsTag.refusal(in: value) == word)
    }

    @Test(arguments: [true, false])
    func `the tag applies to callers that obey it, before the body arrives`(heeds: Bool) {
        var request = TransferRequest(url: "http://h/1.png")
        request.policy.heedsRobotsTag = heeds
        var reception = Reception()

        let head = TransferHead(
            status: 200,
            expectedByteCount: 1 << 20,
            headers: ["x-robots-tag": "noai"]
        )
        reception.receive(head, of: request)

        let error = ImageLoadingError.download(.robotsForbidden("X-Robots-Tag: noai"))
        #expect(reception.refusal == (heeds ? error : nil))
        #expect(reception.isWorthStopping == heeds)
        #expect(error.kind == .policy)
        #expect(error.description == "forbidden for automated programs (X-Robots-Tag: noai)")
    }
}
