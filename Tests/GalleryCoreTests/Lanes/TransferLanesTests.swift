import Decoders
import ImageLoading
import Testing

@testable import GalleryCore

@Suite struct TransferLanesTests {
    private static func progress(_ received: Int, _ expected: Int? = nil) -> LoadEvent {
        .progress(LoadProgress(received: received, expected: expected))
    }

    /// Lanes with a running load for each caption.
    private func running(_ captions: [String], lanes: Int) -> TransferLanes {
        var transfers = TransferLanes(count: lanes)
        for (number, caption) in captions.enumerated() {
            transfers.start(number, caption: caption, byteCount: 100_000)
            transfers.take(.queued, of: number)
            transfers.take(Self.progress(0), of: number)
        }
        return transfers
    }

    private func captions(_ transfers: TransferLanes) -> [String?] {
        transfers.lanes.map { $0.load?.caption }
    }

    @Test func `a load waits in the queue, and then occupies the first free lane until its end`() {
        var transfers = TransferLanes(count: 2)
        transfers.start(7, caption: "a")
        #expect(transfers.queuedCount == 0 && transfers.runningCount == 0)
        transfers.take(.queued, of: 7)
        #expect(transfers.queuedCount == 1)
        transfers.take(Self.progress(0), of: 7)
        #expect(transfers.queuedCount == 0 && transfers.runningCount == 1)
        transfers.take(Self.progress(50, 200), of: 7)
        #expect(transfers.lanes[0].load?.progress == LoadProgress(received: 50, expected: 200))

        transfers.take(.image(.plain(1, 1), .network), of: 7)
        #expect(transfers.lanes[0] == TransferLanes.Lane() && transfers.pendingCount == 0)
        #expect(transfers.cancelledCount == 0 && !transfers.needsTicks)
    }

    @Test func `a load keeps its lane while others end`() {
        var transfers = running(["a", "b", "c"], lanes: 3)
        transfers.take(.failed(.notFound), of: 0)
        transfers.start(3, caption: "d")
        transfers.take(Self.progress(0), of: 3)
        #expect(captions(transfers) == ["d", "b", "c"])
    }

    @Test func `a cancelled load breaks its lane with the bytes it did not receive`() {
        var transfers = running(["a", "b"], lanes: 2)
        transfers.take(Self.progress(40_000, 183_000), of: 1)
        let results = [transfers.cancel(0), transfers.cancel(1)]
        #expect(results == [true, true])

        #expect(captions(transfers) == [nil, nil])
        // The size of the first load is known although the server has not announced it.
        #expect(transfers.lanes.map { $0.shownBreak?.savedByteCount } == [100_000, 143_000])
        #expect(transfers.lanes[1].shownBreak?.caption == "b")
    }

    @Test func `a break is dimmed after half a second and disappears after a second`() {
        var transfers = running(["a"], lanes: 1)
        transfers.cancel(0)
        for _ in 0..<4 { transfers.tick() }
        #expect(transfers.lanes[0].shownBreak?.isFresh == true)
        transfers.tick()
        #expect(transfers.lanes[0].shownBreak?.isFresh == false && transfers.needsTicks)
        for _ in 0..<5 { transfers.tick() }
        #expect(transfers.lanes[0].shownBreak == nil && !transfers.needsTicks)
    }

    @Test func `the next load in a broken lane is shown when its first bytes arrive`() {
        var transfers = running(["a"], lanes: 1)
        transfers.cancel(0)
        transfers.start(1, caption: "b")
        transfers.take(Self.progress(0), of: 1)
        #expect(transfers.lanes[0].shownBreak?.caption == "a")
        // A resumed transfer starts with the bytes of an earlier one.
        let resumed = LoadProgress(received: 500, expected: 900, resumedFrom: 500)
        transfers.take(.progress(resumed), of: 1)
        #expect(transfers.lanes[0].shownBreak?.caption == "a")
        transfers.take(Self.progress(600, 900), of: 1)
        #expect(transfers.lanes[0].shownBreak == nil)
        #expect(transfers.lanes[0].load?.caption == "b")
    }

    @Test func `a new load avoids broken lanes, and then takes the oldest of them`() {
        var transfers = running(["a", "b", "c"], lanes: 3)
        transfers.cancel(1)
        transfers.tick()
        transfers.cancel(0)
        transfers.take(.failed(.notFound), of: 2)
        for number in 3...5 {
            transfers.start(number, caption: "\(number)")
            transfers.take(Self.progress(0), of: number)
        }
        #expect(captions(transfers) == ["5", "4", "3"])
    }

    @Test func `queued loads that are dropped are counted for a second`() {
        var transfers = TransferLanes(count: 1)
        for number in 0..<3 {
            transfers.start(number, caption: "")
            transfers.take(.queued, of: number)
        }
        transfers.cancel(0)
        transfers.cancel(1)
        #expect(transfers.queuedCount == 1 && transfers.droppedCount == 2)
        for _ in 0..<10 { transfers.tick() }
        #expect(transfers.droppedCount == 0 && transfers.cancelledCount == 2)
    }

    @Test func `a load cancelled before its first event counts its size unless it is cached`() {
        var transfers = TransferLanes(count: 1)
        transfers.start(0, caption: "a", byteCount: 100_000)
        transfers.start(1, caption: "b", byteCount: 100_000, isCached: true)
        transfers.start(2, caption: "c")

        for load in 0...2 { transfers.cancel(load) }

        #expect(transfers.unannouncedByteCount == 100_000 && transfers.cancelledCount == 3)
    }

    @Test func `known sizes count only until the server has announced its own`() {
        var transfers = running(["a", "b"], lanes: 2)
        transfers.take(Self.progress(0, 90_000), of: 0)
        transfers.cancel(0)
        #expect(transfers.unannouncedByteCount == 0)
        transfers.cancel(1)
        #expect(transfers.unannouncedByteCount == 100_000)
        transfers.start(2, caption: "c")
        transfers.take(.queued, of: 2)
        transfers.cancel(2)
        #expect(transfers.unannouncedByteCount == 100_000)
    }

    @Test func `received bytes do not count as saved, even if the server announced no size`() {
        var transfers = running(["a"], lanes: 1)
        transfers.take(Self.progress(30_000), of: 0)
        transfers.cancel(0)
        #expect(transfers.unannouncedByteCount == 70_000)
        #expect(transfers.lanes[0].shownBreak?.savedByteCount == 70_000)
    }

    @Test func `a load that waits for its next attempt frees its lane without a break`() {
        var transfers = running(["a"], lanes: 1)
        transfers.take(.waiting(.notFound), of: 0)
        #expect(transfers.lanes[0] == TransferLanes.Lane() && transfers.queuedCount == 1)
    }

    @Test func `a transfer beyond the slots gets a lane as soon as one is free`() {
        var transfers = running(["a", "b"], lanes: 1)
        #expect(captions(transfers) == ["a"] && transfers.runningCount == 2)
        transfers.take(.failed(.notFound), of: 0)
        transfers.take(Self.progress(10), of: 1)
        #expect(captions(transfers) == ["b"])
    }

    @Test func `events of loads that have ended change nothing`() {
        var transfers = running(["a"], lanes: 1)
        transfers.cancel(0)
        let before = transfers
        transfers.take(Self.progress(99, 100), of: 0)
        transfers.take(.queued, of: 0)
        transfers.take(.failed(.notFound), of: 5)
        let hasCancelled = transfers.cancel(0)
        #expect(!hasCancelled && transfers == before)
    }

    @Test func `the time for other bytes follows from completed transfers and the slots`() {
        var response = ImageResponse(
            image: .plain(1, 1),
            source: .network,
            byteCount: 0,
            httpStatus: 200
        )
        var times = LoadTimes(total: .seconds(9))
        (times.answer, times.transfer) = (.milliseconds(300), .milliseconds(700))
        response.times = times
        var pace = TransferPace()
        #expect(pace.duration(of: 1, slots: 1) == nil)
        pace.take(LoadProgress(received: 60_000, expected: nil, resumedFrom: 10_000), response)
        #expect(pace.duration(of: 1_200_000, slots: 6) == .seconds(4))

        let measured = pace
        pace.take(LoadProgress(received: 60_000, expected: nil), .cached)
        #expect(pace == measured)
    }
}

extension ImageResponse {
    fileprivate static let cached = ImageResponse(
        image: .plain(1, 1),
        source: .memory,
        byteCount: 0,
        httpStatus: nil
    )
}
