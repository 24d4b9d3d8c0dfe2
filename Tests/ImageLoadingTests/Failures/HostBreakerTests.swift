import Testing

@testable import ImageLoading

/// A failing host, to which only one probe at a time is sent.
@Suite struct HostBreakerTests {
    var breaker = HostBreaker()

    @Test mutating func `five failures in a row open the breaker for ten seconds`() {
        let opened = fail(4)
        #expect(opened == [false, false, false, false])
        #expect(breaker.refusal(at: .zero) == nil && breaker.admits(at: .zero))

        let fifth = fail(1)
        #expect(fifth == [true])

        #expect(breaker.refusal(at: .seconds(3)) == .seconds(7))
        #expect(breaker.refusal(at: .seconds(10)) == nil)
    }

    @Test mutating func `waiting downloads send the probe after a tenth of the pause`() {
        _ = fail(5)

        #expect(!breaker.admits(at: .milliseconds(999)) && breaker.admits(at: .seconds(1)))
        #expect(breaker.nextAdmission(at: .zero) == .seconds(1))
        #expect(breaker.nextAdmission(at: .seconds(1)) == nil)
    }

    @Test mutating func `a pause requested by the host is not shortened`() {
        let hasOpened = breaker.failed(id(1), at: .zero, asked: .seconds(60))

        #expect(hasOpened && breaker.nextAdmission(at: .zero) == .seconds(60))
    }

    @Test mutating func `a short pause fails no download, and nothing starts before its end`() {
        breaker.rest(until: .seconds(2))

        #expect(!breaker.admits(at: .seconds(1)) && breaker.admits(at: .seconds(2)))
        #expect(breaker.refusal(at: .seconds(1)) == nil && !breaker.isUnavailable(at: .seconds(1)))
    }

    @Test mutating func `the host counts as failing from the first failure to a response or byte`()
    {
        _ = breaker.failed(id(1), at: .seconds(1), asked: nil)
        _ = breaker.failed(id(2), at: .seconds(9), asked: nil)
        #expect(breaker.failingSince == .seconds(1))

        breaker.brought(at: .seconds(10))
        #expect(breaker.failingSince == .seconds(10))
        _ = breaker.answered(id(3))

        #expect(breaker.failingSince == nil)
    }

    @Test mutating func `a response in between restarts the count`() {
        _ = fail(4)
        let wasOpen = breaker.answered(id(1))
        #expect(!wasOpen)

        let four = fail(4)
        #expect(four.contains(true) == false)
    }

    @Test mutating func `after the pause one probe is sent and the others wait`() {
        _ = fail(5)

        breaker.started(id(1))

        #expect(!breaker.admits(at: .seconds(10)))
        #expect(breaker.refusal(at: .seconds(10)) == nil)
        #expect(breaker.isUnavailable(at: .seconds(10)))
    }

    @Test mutating func `the probe's response closes the breaker`() {
        _ = fail(5)
        breaker.started(id(1))

        let hasClosed = breaker.answered(id(1))
        #expect(hasClosed)

        #expect(breaker.isBlank(at: .zero))
    }

    @Test mutating func `each failed probe doubles the pause, up to five minutes`() {
        _ = fail(5)
        var now = Duration.seconds(10)
        var pauses: [Duration] = []

        for number in 1...7 {
            breaker.started(id(number))
            let hasOpened = breaker.failed(id(number), at: now, asked: nil)
            #expect(hasOpened)
            pauses.append(breaker.refusal(at: now) ?? .zero)
            now += pauses.last ?? .zero
        }

        #expect(pauses == [20, 40, 80, 160, 300, 300, 300].map { .seconds($0) })
    }

    @Test mutating func `only the probe changes an open breaker`() {
        _ = fail(5)
        let lateAnswer = breaker.answered(id(8))
        #expect(!lateAnswer)
        let lateFailures = fail(3)
        #expect(lateFailures == [false, false, false])
        breaker.started(id(1))

        let otherAnswer = breaker.answered(id(8))
        #expect(!otherAnswer)
        let otherFailure = breaker.failed(id(8), at: .zero, asked: nil)
        #expect(!otherFailure)

        #expect(!breaker.admits(at: .seconds(10)))
    }

    @Test mutating func `a cancelled probe makes room for the next`() {
        _ = fail(5)
        breaker.started(id(1))

        breaker.gaveUp(id(1), at: .seconds(11))

        #expect(breaker.admits(at: .seconds(11)))
        breaker.started(id(2))
        let hasOpened = breaker.failed(id(2), at: .seconds(11), asked: nil)
        #expect(hasOpened)
        #expect(breaker.refusal(at: .seconds(11)) == .seconds(20))
    }

    @Test(arguments: [(6, 10), (60, 60), (100_000, 600)])
    mutating func `a host that requests a pause gets it immediately, ten minutes at most`(
        asked: Int,
        granted: Int
    ) {
        let hasOpened = breaker.failed(id(1), at: .zero, asked: .seconds(asked))
        #expect(hasOpened)

        #expect(breaker.refusal(at: .zero) == .seconds(granted))
    }

    @Test(
        arguments: [
            (nil, .connectionLost, HostHealth.failing), (nil, .hostNotFound, .failing),
            (nil, .noResources, .unknown), (200, .connectionLost, .answering),
            (404, nil, .answering), (408, nil, .answering), (429, nil, .failing),
            (500, nil, .failing), (503, .connectionLost, .failing),
        ] as [(Int?, TransferFailure.Kind?, HostHealth)]
    )
    func `a host fails if it does not respond or reports that it is unavailable`(
        status: Int?,
        failure: TransferFailure.Kind?,
        health: HostHealth
    ) {
        let head = status.map { TransferHead(status: $0, expectedByteCount: nil) }
        let error = failure.map { ImageLoadingError.transfer($0) }

        #expect(HostHealth(head: head, error: error) == health)
    }

    @Test(arguments: [ImageLoadingError.Class.offline, .permanent])
    func `a missing network and a bad certificate are not the host's failures`(
        kind: ImageLoadingError.Class
    ) {
        let error = ImageLoadingError.download(kind, .transport(TransferFailure(.noConnection)))

        #expect(HostHealth(head: nil, error: error) == .unknown)
    }

    @Test func `thousands of hosts that failed once are not remembered forever`() {
        var breakers = HostBreakers()
        for _ in 0..<5 { _ = breakers.failed(id(1), "down", at: .zero, asked: nil) }

        for number in 0..<5_000 { _ = breakers.failed(id(1), "h\(number)", at: .zero, asked: nil) }

        #expect(breakers.count <= HostBreakers.capacity)
        #expect(breakers.unavailableHosts(at: .seconds(9)) == ["down"])
        #expect(
            breakers.refusal(of: "down", at: .milliseconds(500))?.reason
                == .hostUnavailable(host: "down", seconds: 10)
        )
    }

    private mutating func fail(_ count: Int) -> [Bool] {
        (0..<count).map { _ in breaker.failed(id(99), at: .zero, asked: nil) }
    }

    private func id(_ number: Int) -> TransferID { TransferID(rawValue: UInt64(number)) }
}
