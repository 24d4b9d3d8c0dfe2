import Testing

@testable import ImageLoading

/// P9, idea 1: what becomes of a transfer whose picture is final.
@Suite struct EarlyStopRuleTests {
    /// 10 kB in 100 ms, of 100, over a round trip of 50 ms.
    private let rule = EarlyStopRule(
        transfer: DetachRule(
            remainingByteCount: 90_000,
            receivedByteCount: 10_000,
            elapsed: .milliseconds(100),
            roundTrip: .milliseconds(50),
            isSecure: false,
            httpVersion: "1.1"
        ),
        keepsBody: true,
        keepsPartial: true
    )

    // P9
    @Test(arguments: [
        (90_000, "1.1", false, EarlyStopRule.Decision.stops), (5_001, "1.1", false, .stops),
        (5_000, "1.1", false, .finishes), (10_000, "1.1", true, .finishes),
        (10_001, "1.1", true, .stops), (1, "2", false, .stops), (0, "1.1", false, .finishes),
    ])
    func `a rest that takes longer than a new connection is not waited for`(
        remaining: Int,
        httpVersion: String,
        isSecure: Bool,
        decision: EarlyStopRule.Decision
    ) {
        var rule = rule
        rule.transfer.remainingByteCount = remaining
        rule.transfer.httpVersion = httpVersion
        rule.transfer.isSecure = isSecure

        #expect(rule.decision == decision)
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6])
    func `of an unknown length three times as much is still to come`(roundTrips: Int) {
        var unknown = rule
        unknown.transfer.isSecure = true
        unknown.transfer.remainingByteCount = nil
        unknown.transfer.roundTrip = .milliseconds(50 * roundTrips)
        var known = unknown
        known.transfer.remainingByteCount = 30_000

        #expect(unknown.decision == known.decision)
        // 30 kB take 300 ms, or three round trips of more than 100 ms; a new connection takes two.
        #expect(unknown.decision == .stops)
    }

    @Test func `what came within the first round trip is no measure of the rate`() {
        var rule = rule
        rule.transfer.elapsed = .microseconds(1)

        #expect(rule.decision == .stops)
    }

    @Test(arguments: [
        (true, true, EarlyStopRule.Decision.stops), (true, false, .waits), (false, true, .stops),
        (false, false, .stops),
    ])
    func `a body that would be kept whole is not given up for a beginning that can't be kept`(
        keepsBody: Bool,
        keepsPartial: Bool,
        decision: EarlyStopRule.Decision
    ) {
        var rule = rule
        rule.keepsBody = keepsBody
        rule.keepsPartial = keepsPartial

        #expect(rule.decision == decision)
    }
}
