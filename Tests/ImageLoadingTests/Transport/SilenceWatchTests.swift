import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// How long a server may be silent.
@Suite struct SilenceWatchTests {
    private var watch = SilenceWatch(limit: .seconds(15))

    @Test mutating func `a transfer is over when its last byte is as old as the limit, no later`() {
        watch.note(startAt: .seconds(100))

        let early = watch.overdue(at: .milliseconds(114_999), [(1, .seconds(100))])
        let inTime = watch.overdue(at: .seconds(115), [(1, .seconds(100)), (2, .seconds(101))])

        #expect(early.isEmpty)
        #expect(inTime == [1])
    }

    @Test mutating func `a byte a second is no silence`() {
        watch.note(startAt: .zero)
        var overdue: [Int] = []

        for second in 1...100 {
            let time = Duration.seconds(second)
            overdue += watch.overdue(at: time, [(1, time - .milliseconds(999))])
        }

        #expect(overdue.isEmpty)
    }

    @Test mutating func `bytes put the next look off, and nobody is looked at before it`() {
        watch.note(startAt: .zero)

        _ = watch.overdue(at: .seconds(15), [(1, .seconds(14))])

        #expect(watch.nextLook == .seconds(29))
        #expect(watch.sleepLimit(at: .seconds(28)) == 1_001)
        #expect(watch.sleepLimit(at: .seconds(40)) == 1)
    }

    @Test mutating func `one that waits for its connection is not over`() {
        watch.note(startAt: .zero)

        let overdue = watch.overdue(at: .seconds(15), [(1, nil)])

        #expect(overdue.isEmpty && watch.nextLook == .seconds(30))
    }

    @Test mutating func `without transfers there is no time to wake up at`() {
        watch.note(startAt: .zero)

        let overdue = watch.overdue(
            at: .seconds(15),
            [(Int, Duration?)]().map { (id: $0, time: $1) }
        )

        #expect(overdue.isEmpty && watch.sleepLimit(at: .seconds(15)) == nil)
    }
}

/// The same over connections.
@Suite struct SilentServerTests {
    private let server = LoopbackServer([
        "/body": LoopbackServer.Step.beginning([1], of: 3) + [.awaitClose],
        "/head": [.text("HTTP/1.1 200 OK\r\n"), .awaitClose],
        "/drip": LoopbackServer.Step.beginning([1], of: 100_000) + [.drip([2])],
    ])

    private func transport(_ limit: Duration) -> CurlTransport {
        var configuration = CurlTransportConfiguration()
        configuration.idleTimeout = limit
        return CurlTransport(configuration: configuration)
    }

    /// libcurl's own limit counts in whole seconds, and would be five later.
    @Test(arguments: ["/body", "/head"])
    func `of two silences the shorter limit ends first, in the body too`(path: String) async {
        let (short, long) = (transport(.milliseconds(300)), transport(.seconds(3)))
        let url = server.url(path)

        let first = await withTaskGroup(of: (String, TransferOutcome).self) { group in
            group.addTask { ("short", await short.run(url)) }
            group.addTask { ("long", await long.run(url)) }
            var ends: [(String, TransferOutcome)] = []
            for await end in group { ends.append(end) }
            return ends
        }

        #expect(first.map(\.0) == ["short", "long"])
        #expect(first.allSatisfy { $0.1.errorText == "timed out" })
    }

    @Test func `a body that drips is not silent`() async {
        let transport = transport(.milliseconds(500))
        let request = TransferRequest(url: server.url("/drip"))
        var byteCount = 0

        for await event in transport.events(of: request) {
            if case .chunk(let bytes) = event { byteCount += bytes.count }
            if case .finished(let error) = event { Issue.record("\(String(describing: error))") }
            // Twenty bytes a second: for longer than the limit.
            if byteCount >= 30 { break }
        }
        transport.cancel(request.id)

        #expect(byteCount >= 30)
    }
}
