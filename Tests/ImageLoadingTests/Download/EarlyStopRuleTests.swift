@testable import ImageLoading
import Testing

/// The rest of a transfer whose image is final.
@Suite struct EarlyStopRuleTests {
    /// 10 of 100 kB were received in 100 ms, with a round-trip time of 50 ms.
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

    @Test(arguments: [
        (90_000, "1.1", false, EarlyStopRule.Decision.stops), (5_001, "1.1", false, .stops),
        (5_000, "1.1", false, .finishes), (10_000, "1.1", true, .finishes),
        (10_001, "1.1", true, .stops), (1, "2", false, .stops), (0, "1.1", false, .finishes),
    ])
    func `a rest that takes longer than a new connection is not received`(
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
    func `for an unknown length three times as much is expected to follow`(roundTrips: Int) {
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

    @Test func `bytes of the first round trip do not count for the rate`() {
        var rule = rule
        rule.transfer.elapsed = .microseconds(1)

        #expect(rule.decision == .stops)
    }

    @Test(arguments: [
        (true, true, EarlyStopRule.Decision.stops), (true, false, .waits), (false, true, .stops),
        (false, false, .stops),
    ])
    func `a body that would be kept whole is not abandoned for a beginning that cannot be kept`(
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

/// The cost of aborting a transfer.
@Suite struct DetachRuleTests {
    /// 100 kB were received in 100 ms, with a round-trip time of 50 ms.
    let rule = DetachRule(
        remainingByteCount: 40_000,
        receivedByteCount: 100_000,
        elapsed: .milliseconds(100),
        roundTrip: .milliseconds(50),
        isSecure: false,
        httpVersion: "1.1"
    )

    @Test(arguments: [
        (40_000, false, true), (50_000, false, true), (50_001, false, false),
        (50_001, true, true), (100_000, true, true), (100_001, true, false),
        (1 << 40, true, false), (0, false, true),
    ])
    func `the rest may take as long as a new connection, over TLS twice as long`(
        remaining: Int,
        isSecure: Bool,
        finishes: Bool
    ) {
        var rule = rule
        rule.remainingByteCount = remaining
        rule.isSecure = isSecure

        #expect(rule.finishes == finishes)
    }

    @Test(arguments: ["2", "3"])
    func `a multiplexed stream is always reset`(version: String) {
        var rule = rule
        rule.httpVersion = version
        rule.remainingByteCount = 0

        #expect(!rule.finishes)
    }

    @Test func `without a length, rate or round trip there is no estimate`() {
        var lengthless = rule
        lengthless.remainingByteCount = nil
        var tooEarly = rule
        tooEarly.receivedByteCount = 4_095
        tooEarly.remainingByteCount = 1
        var timeless = rule
        timeless.elapsed = .zero
        var distanceless = rule
        distanceless.roundTrip = nil
        var placeless = rule
        placeless.roundTrip = .zero

        let rules = [lengthless, tooEarly, timeless, distanceless, placeless]
        #expect(rules.filter(\.finishes).isEmpty)
    }

    @Test func `a stalled transfer is stopped`() {
        var rule = rule
        rule.elapsed = .seconds(60)
        rule.remainingByteCount = 1_000

        #expect(!rule.finishes)
    }

    @Test func `a shorter time to the first byte is adopted immediately, a longer one slowly`() {
        var latencies = HostLatencies()

        for milliseconds in [100, 20, 100] { latencies.note(.milliseconds(milliseconds), of: "a") }

        #expect(latencies.roundTrip(to: "a") == .milliseconds(30))
        #expect(latencies.roundTrip(to: "b") == nil)
    }

    @Test func `thousands of hosts are not remembered forever`() {
        var latencies = HostLatencies()

        for number in 0...HostLatencies.capacity { latencies.note(.zero, of: "\(number)") }

        #expect(latencies.roundTrip(to: "0") == nil)
        #expect(latencies.roundTrip(to: "\(HostLatencies.capacity)") == .zero)
    }
}
