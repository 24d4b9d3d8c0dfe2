@testable import ImageLoading
import ImageLoadingTesting
import Testing

/// Which failures are tried again inside a load, how often and after what pause.
@Suite struct RetryPolicyTests {
    let policy = RetryPolicy(maximumAttempts: 10)

    @Test(arguments: [
        (28, 2), (7, 2), (6, 1), (5, 1), (27, 3),
        (16, 3), (18, 3), (52, 3), (55, 3), (56, 3), (92, 3), (95, 3), (96, 3),
    ])
    func `a transport failure has the attempts of its row`(code: Int, tries: Int) {
        let error = CurlFailure.error(code: code)

        #expect(FailureRule(error).attempts == tries)
    }

    @Test(arguments: [
        (408, 2), (425, 2), (429, 1), (500, 2), (503, 2), (599, 2), (206, 2), (304, 2), (416, 1),
        (501, 1),
    ])
    func `a temporary status has the attempts of its row`(status: Int, tries: Int) {
        let error = ImageLoadingError.download(.transient, .httpStatus(status))

        #expect(FailureRule(error).attempts == tries)
    }

    @Test(arguments: [
        ImageLoadingError.Reason.emptyBody, .hostUnavailable(host: "a", seconds: 1),
        .tooLarge(limit: 1),
    ])
    func `an empty body and a paused host are not retried`(
        reason: ImageLoadingError.Reason
    ) {
        #expect(FailureRule(.download(.transient, reason)).attempts == 1)
    }

    @Test(arguments: [ImageLoadingError.Class.cancelled, .offline, .permanent, .policy])
    func `other classes are final immediately`(kind: ImageLoadingError.Class) {
        let error = ImageLoadingError.download(kind, .transport(TransferFailure(.connectionLost)))

        #expect(pause(after: error, failures: 1) == nil)
    }

    @Test func `pauses are drawn from zero up to half a second, then two, then five`() {
        let lost = ImageLoadingError.transfer(.connectionLost, "")
        var random = SeededGenerator(seed: 1)
        var history = AttemptHistory()
        history.noteFailure(broughtBytes: false)

        let pauses = (0..<1_000).map { _ in policy.pause(after: lost, history, using: &random)! }

        #expect(pauses.min()! < .milliseconds(10))
        #expect(pauses.max()! > .milliseconds(490) && pauses.max()! <= .milliseconds(500))
        #expect(
            [1, 2, 3, 4, 400].map(RetryPolicy.longestRandomPause)
                == [.milliseconds(500), .seconds(2), .seconds(5), .seconds(5), .seconds(5)]
        )
    }

    @Test(arguments: [(0, true), (5, true), (6, false), (86_400, false)])
    func `a short Retry-After is waited for exactly, a longer one ends the load`(
        seconds: Int,
        isWaitedFor: Bool
    ) {
        for status in [429, 503] {
            let error = ImageLoadingError(
                stage: .download,
                kind: .transient,
                reason: .httpStatus(status),
                retryAfter: .seconds(seconds)
            )

            #expect(pause(after: error, failures: 1) == (isWaitedFor ? .seconds(seconds) : nil))
        }
    }

    // F26
    @Test func `attempts with new bytes do not use up the attempts, except for the maximum`() {
        let lost = ImageLoadingError.transfer(.connectionLost, "")
        var random = SeededGenerator(seed: 1)
        var history = AttemptHistory()

        for _ in 1..<10 {
            history.noteFailure(broughtBytes: true)
            #expect(policy.pause(after: lost, history, using: &random) != nil)
        }
        history.noteFailure(broughtBytes: true)

        #expect(policy.pause(after: lost, history, using: &random) == nil)
    }

    @Test func `three attempts in a row without new bytes are the last`() {
        let lost = ImageLoadingError.transfer(.connectionLost, "")

        #expect(pause(after: lost, failures: 2) != nil)
        #expect(pause(after: lost, failures: 3) == nil)
    }

    private func pause(after error: ImageLoadingError, failures: Int) -> Duration? {
        var random = SeededGenerator(seed: 1)
        var history = AttemptHistory()
        for _ in 0..<failures { history.noteFailure(broughtBytes: false) }
        return policy.pause(after: error, history, using: &random)
    }
}

@Suite struct RetryAfterTests {
    /// 1994-11-06 08:49:37 UTC.
    let now = 784_111_777

    @Test(arguments: [
        ("0", 0), ("120", 120), (" 7 ", 7), ("86400", 86_400),
        ("86401", 86_400), ("99999999999999999999999", 86_400),
        ("Sun, 06 Nov 1994 08:49:37 GMT", 0),
        ("Sun, 06 Nov 1994 08:50:37 GMT", 60),
        ("Sun Nov  6 08:50:37 1994", 60),
        ("Sunday, 06-Nov-94 08:50:37 GMT", 60),
        ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
        ("Sun, 06 Nov 2094 08:49:37 GMT", 86_400),
    ])
    func `seconds and dates are read, and limited to 0 to a day`(text: String, seconds: Int) {
        let head = TransferHead(status: 503, expectedByteCount: 0, headers: ["retry-after": text])

        #expect(RetryAfter.pause(in: head, at: now) == .seconds(seconds))
    }

    @Test(arguments: ["", " ", "soon", "-1", "1.5", "1e3", "１"])
    func `a Retry-After in neither form is ignored`(text: String) {
        let head = TransferHead(status: 503, expectedByteCount: 0, headers: ["retry-after": text])

        #expect(RetryAfter.pause(in: head, at: now) == nil)
    }
}
