import ImageLoading
import Testing

@testable import GalleryCore

/// The same scrolls over the same slow servers under several policies.
// F3
@Suite struct ScrollTraceTests {
    typealias Policy = ScrollSimulation.Policy

    /// Five scrolls over 1,000 pictures each.
    private static func report(_ policy: Policy) -> ScrollReport {
        (UInt64(1)...5).reduce(ScrollReport()) { sum, seed in
            var simulation = ScrollSimulation(policy, seed: seed)
            return sum + simulation.run()
        }
    }

    private static let ours = report(Policy())

    @Test func `the first image is shown sooner than with a single queue in request order`() {
        let ours = Self.ours
        let line = Self.report(Policy(order: .firstInFirstOut, ranksByNeed: false))
        let comment: Comment = "ours: \(ours); one line: \(line)"

        #expect(ours.firstPicture.median < line.firstPicture.median, comment)
        #expect(ours.firstPicture.p95 < line.firstPicture.p95, comment)
        #expect(ours.cellWait.median < line.cellWait.median, comment)
        // Newest first serves the oldest cell on the screen last; it must not starve it.
        #expect(ours.cellWait.p95 < line.cellWait.p95 * 5 / 4, comment)
        #expect(ours.transferCount * 2 < line.transferCount, comment)
    }

    @Test func `cancelling shows the first image sooner than a queue without cancellation`() {
        let ours = Self.ours
        let uncancelled = Self.report(
            Policy(order: .firstInFirstOut, cancels: false, ranksByNeed: false)
        )
        let comment: Comment = "ours: \(ours); never left: \(uncancelled)"

        #expect(ours.firstPicture.p95 * 3 < uncancelled.firstPicture.p95, comment)
        #expect(ours.cellWait.p95 < uncancelled.cellWait.p95, comment)
        #expect(ours.seenCount > 3 * uncancelled.seenCount, comment)
        #expect(ours.bytesReceived < uncancelled.bytesReceived, comment)
    }

    @Test func `cancelling saves a quarter of the bytes even if the newest are loaded first`() {
        let ours = Self.ours
        let uncancelled = Self.report(Policy(cancels: false))
        let comment: Comment = "ours: \(ours); without cancelling: \(uncancelled)"

        #expect(ours.bytesReceived * 4 < uncancelled.bytesReceived * 3, comment)
        #expect(ours.cellWait.median < uncancelled.cellWait.median, comment)
        #expect(ours.seenCount >= uncancelled.seenCount, comment)
    }

    @Test func `at most six transfers run at once while scrolling`() {
        #expect(Self.ours.mostAtOnce == 6)
    }
}
