import ImageLoadingTesting
import SystemSupport
import Testing

@testable import ImageLoading

/// How long a server may be silent.
@Suite struct SilenceWatchTests {
    private var watch = SilenceWatch(limit: .seconds(15))

    @Test mutating func `a transfer ends exactly when its last byte is as old as the limit`() {
        watch.note(startAt: .seconds(100))

        let early = watch.overdue(at: .milliseconds(114_999), [(1, started(at: 100))])
        let inTime = watch.overdue(
            at: .seconds(115),
            [(1, started(at: 100)), (2, started(at: 101))]
        )

        #expect(early.isEmpty)
        #expect(inTime == [1])
    }

    private func started(at second: Int) -> TransferActivity {
        TransferActivity(startAt: .seconds(second))
    }

    /// Returns the second at which a body with a constant rate is aborted; nil if it is not within
    /// ten minutes.
    private mutating func end(ofBodyWith byteCount: Int) -> Int? {
        watch.note(startAt: .zero)
        var activity = TransferActivity(startAt: .zero)
        return (1...600).first { second in
            activity.note(byteCount: byteCount, at: .seconds(second))
            return !watch.overdue(at: .seconds(second), [(1, activity)]).isEmpty
        }
    }

    @Test mutating func `forty bytes a second do not count as silence`() {
        #expect(end(ofBodyWith: 40) == nil)
    }

    @Test(arguments: [1, 30])
    mutating func `a body with less than a kilobyte in twice the limit ends then`(
        byteCount: Int
    ) {
        #expect(end(ofBodyWith: byteCount) == 30)
    }

    @Test mutating func `bytes postpone the next check, and no transfer is checked before it`() {
        watch.note(startAt: .zero)

        _ = watch.overdue(at: .seconds(15), [(1, started(at: 14))])

        #expect(watch.nextLook == .seconds(29))
        #expect(watch.sleepLimit(at: .seconds(28)) == 1_001)
        #expect(watch.sleepLimit(at: .seconds(40)) == 1)
    }

    @Test mutating func `a transfer that waits for its connection does not end`() {
        watch.note(startAt: .zero)

        let overdue = watch.overdue(at: .seconds(15), [(1, nil)])

        #expect(overdue.isEmpty && watch.nextLook == .seconds(30))
    }

    @Test mutating func `without transfers there is no time for the next check`() {
        watch.note(startAt: .zero)

        let overdue = watch.overdue(
            at: .seconds(15),
            [(Int, TransferActivity?)]().map { (id: $0, activity: $1) }
        )

        #expect(overdue.isEmpty && watch.sleepLimit(at: .seconds(15)) == nil)
    }
}

/// The same watch with real connections.
@Suite struct SilentServerTests {
    private let server = LoopbackServer([
        "/body": LoopbackServer.Step.beginning([1], of: 3) + [.awaitClose],
        "/head": [.text("HTTP/1.1 200 OK\r\n"), .awaitClose],
        "/drip": LoopbackServer.Step.beginning([1], of: 100_000) + [.drip([2])],
    ])

    /// libcurl's own limit would end the transfer six seconds later, after 120 bytes of the other
    /// response.
    @Test(arguments: ["/body", "/head"])
    func `silence ends a transfer while another continues`(path: String) async {
        var configuration = CurlTransportConfiguration()
        configuration.idleTimeout = .milliseconds(500)
        let transport = CurlTransport(configuration: configuration)
        let dripped = Protected(0)
        transport.start(TransferRequest(url: server.url("/drip"))) { event in
            if case .chunk(let bytes) = event { dripped.withLock { $0 += bytes.count } }
        }

        // Counted by the transport's own thread: the test's may be kept waiting by other tests.
        let (error, byteCount) = await withCheckedContinuation { continuation in
            transport.start(TransferRequest(url: server.url(path))) { event in
                guard case .finished(let error) = event else { return }
                continuation.resume(returning: (error, dripped.withLock { $0 }))
            }
        }

        #expect(error?.description == "timed out")
        #expect(byteCount < 100)
    }
}
