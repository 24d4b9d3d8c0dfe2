import Dispatch
import Testing

@testable import ImageLoading
@testable import TermGallery

@Suite struct StatisticsWatchTests {
    private func statistics(
        succeeded: Int = 0,
        live: Int = 0,
        isDiskBusy: Bool = false
    ) -> LoadingStatistics {
        var statistics = LoadingStatistics()
        statistics.succeeded = succeeded
        statistics.liveTransfers = live
        statistics.isDiskBusy = isDiskBusy
        return statistics
    }

    private func rests(_ figures: LoadingStatistics...) -> [Bool] {
        var watch = StatisticsWatch()
        return figures.map { watch.areAtRest($0) }
    }

    @Test func `figures rest when they are the same twice`() {
        let (one, two) = (statistics(succeeded: 1), statistics(succeeded: 2))
        #expect(rests(one, one, two, two, two) == [false, true, false, true, true])
    }

    @Test func `figures that stay the same do not rest while the disk or a transfer is at work`() {
        let writing = statistics(isDiskBusy: true)
        #expect(rests(writing, writing, writing) == [false, false, false])
        let filling = statistics(live: 1)
        #expect(rests(filling, filling, filling) == [false, false, false])
        #expect(rests(writing, statistics(), statistics()) == [false, false, true])
    }

    @Test(.timeLimit(.minutes(5)))
    func `a file that reaches the disk late is counted on the screen all the same`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let harness = LoadingHarness(disk: DiskCacheConfiguration(directory: folder.path))
        harness.answerEverything()
        let (manager, slowness) = (harness.manager, DispatchSemaphore(value: 0))
        let disk = try #require(manager.engine.cache.disk)
        disk.writer.submit(priority: .high) { slowness.wait() }
        let mailbox = try Mailbox<GalleryMail>()
        mailbox.post(.feed(.success(LoadingHarness.feed(1))))

        let outcome = try await ProgramOutcome.of(manager, mailbox) {
            // Drawn often enough for the figures to have been the same twice.
            let looksAgain = StagedTerminal.Step.see("mem 1/") { _ in }
            let isWritten = StagedTerminal.Step.see("disk 0/") { _ in slowness.signal() }
            return Array(repeating: looksAgain, count: 4) + [
                isWritten, .see("disk 1/", press: "q"),
            ]
        }

        #expect(outcome.ending == .quit)
    }
}
