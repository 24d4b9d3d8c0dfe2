import Testing

@testable import ImageLoading

/// All behaviors of servers that are asked for the rest of a body (row F26).
@Suite struct ResumeMatrixTests {
    private typealias Row = (behavior: RangeBehavior, starts: [Int], byteCount: Int)

    /// The offsets from which the requests ask for the body, and the total number of body bytes
    /// received.
    private static let matrix: [Row] = [
        (.sendsTheRest, [0, 60_000], 100_000),
        (.ignoresRanges, [0, 60_000], 160_000),
        (.hasAnotherVersion, [0, 60_000], 150_000),
        (.startsElsewhere, [0, 60_000, 0], 200_001),
        (.endsEarly, [0, 60_000, 0], 199_999),
        (.hasAnotherTotal, [0, 60_000, 0], 180_000),
        (.hasAnotherTag, [0, 60_000, 0], 190_000),
        (.leavesTagOut, [0, 60_000, 0], 200_000),
        // A weak tag does not identify the bytes, so nothing is resumed.
        (.hasWeakTag, [0, 0], 160_000),
        (.refusesRange, [0, 60_000, 0], 160_000),
        // Nuke loses everything at a second interruption past the middle.
        (.breaksOffAgain, [0, 60_000, 75_000, 90_000], 100_000),
        (.leavesContentRangeOut, [0, 60_000, 0], 200_000),
        (.sendsMultipart, [0, 60_000, 0], 200_000),
        (.codesRange, [0, 60_000, 0], 200_000),
        (.codesBody, [0, 60_000, 0], 250_000),
        (.isBusy, [0, 60_000, 60_000], 100_000),
    ]

    // F26
    @Test(arguments: matrix)
    private func `with every server the whole body is received, in the shortest safe way`(row: Row)
    {
        let server = RangeServer(behavior: row.behavior)

        let journey = ResumeJourney(server)

        let isWhole = journey.body?.bytes == server.finalBody
        #expect(isWhole)
        #expect(journey.starts == row.starts)
        #expect(journey.byteCount == row.byteCount)
    }

    @Test func `the matrix contains every behavior`() {
        #expect(Set(Self.matrix.map(\.behavior)) == Set(RangeBehavior.allCases))
    }

    @Test(arguments: matrix)
    private func `a resumed body has the head of a whole response`(row: Row) {
        let journey = ResumeJourney(RangeServer(behavior: row.behavior))

        #expect(journey.body?.head.status == 200)
        #expect(journey.body?.head.expectedByteCount == journey.body?.bytes.count)
        #expect(journey.body?.head.headers["content-range"] == nil)
    }

    @Test(arguments: RangeBehavior.allCases)
    func `a download starts over at most once`(behavior: RangeBehavior) {
        let journey = ResumeJourney(RangeServer(behavior: behavior))

        let restarts = journey.outcomes.filter { outcome in
            guard case .restart = outcome else { return false }
            return true
        }
        #expect(restarts.count <= 1)
    }

    @Test(arguments: [1, 999, 16_384, 100_000])
    func `the result is the same for any chunk sizes`(chunkSize: Int) {
        let server = RangeServer(behavior: .breaksOffAgain)

        let journey = ResumeJourney(server, chunkSize: chunkSize)

        let isWhole = journey.body?.bytes == server.finalBody
        #expect(isWhole)
    }

    // F26
    @Test(arguments: [0, 1, 2, 3] as [UInt64])
    func `with any truthful server, the body is one whole version`(batch: UInt64) {
        var resumedCount = 0
        for seed in (batch * 1000)..<(batch * 1000 + 1000) {
            var server = FickleServer(seed: seed)

            let journey = ResumeJourney(limit: 20) { request, _ in server.answer(to: request) }

            let isOneVersion = journey.body.map { server.versions.contains($0.bytes) } ?? true
            #expect(isOneVersion, "seed \(seed)")
            // Only the head of a resumed body has a length, because the servers never send one.
            let isJoined = journey.body?.head.headers["content-length"] != nil
            resumedCount += isJoined ? 1 : 0
        }
        #expect(resumedCount > 20, "the servers give too little occasion to resume")
    }
}
