import ImageLoading
import ImageLoadingTesting
import Testing

struct RandomBindingTests {
    // Open point n
    @Test(arguments: 0..<200)
    func `K7, F2, F4: a random sequence leaves each cell its own image and nothing running`(
        seed: Int
    ) async {
        var random = SeededGenerator(seed: UInt64(seed))
        let screen = BindingScreen(cellCount: 4)

        for _ in 0..<40 { await screen.step(&random) }
        await screen.settle()

        let counted = screen.harness.manager.statistics
        // A response may arrive before the transport receives the cancellation, which then has no
        // effect.
        let record = screen.harness.transport.record
        let aborts = record.cancelledURLs.count + record.strayCancelCount
        #expect(screen.wrongPictures == [], "seed \(seed)")
        #expect(screen.endCount == screen.callCount, "seed \(seed)")
        #expect(counted.liveTransfers + counted.queuedTransfers == 0, "seed \(seed)")
        #expect(
            counted.started == counted.succeeded + counted.failed + counted.cancelled,
            "seed \(seed)"
        )
        #expect(aborts == counted.transfersCancelled, "seed \(seed)")
    }
}
