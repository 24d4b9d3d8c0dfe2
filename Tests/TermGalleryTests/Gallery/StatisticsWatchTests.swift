import Decoders
import Dispatch
import FeedHarness
import GalleryCore
@testable import Feeds
@testable import ImageLoading
import ImageLoadingTesting
@testable import TermGallery
@testable import TerminalUI
import SystemSupport
import Testing

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

    @Test func `the statistics rest if they are the same twice`() {
        let (one, two) = (statistics(succeeded: 1), statistics(succeeded: 2))
        #expect(rests(one, one, two, two, two) == [false, true, false, true, true])
    }

    @Test func `unchanged statistics do not rest while the disk or a transfer is active`() {
        let writing = statistics(isDiskBusy: true)
        #expect(rests(writing, writing, writing) == [false, false, false])
        let filling = statistics(live: 1)
        #expect(rests(filling, filling, filling) == [false, false, false])
        #expect(rests(writing, statistics(), statistics()) == [false, false, true])
    }

    @Test(.timeLimit(.minutes(5)))
    func `a file that reaches the disk late is still counted on the screen`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let harness = LoadingHarness(disk: DiskCacheConfiguration(directory: folder.path))
        harness.answerEverything()
        let (manager, slowness) = (harness.manager, DispatchSemaphore(value: 0))
        let disk = try #require(manager.engine.cache.disk)
        disk.writer.submit(priority: .high) { slowness.wait() }
        let mailbox = try Mailbox<GalleryMail>()
        mailbox.post(.feed(.success(LoadingHarness.feed(1))))

        let outcome = try await ProgramOutcome.of(manager, mailbox, columns: 200) {
            // Drawn often enough for the figures to have been the same twice.
            let looksAgain = StagedTerminal.Step.see("memory 1") { _ in }
            let isWritten = StagedTerminal.Step.see("memory 1") { _ in slowness.signal() }
            return Array(repeating: looksAgain, count: 4) + [
                isWritten, .see("disk 1", press: "q"),
            ]
        }

        #expect(outcome.ending == .quit)
    }
}

/// The gallery while memory is short.
@Suite struct ShortMemoryTests {
    // C2
    @Test func `while memory is short the next screen is not prefetched`() async throws {
        let mailbox = try Mailbox<GalleryMail>()
        mailbox.post(.feed(.success(LoadingHarness.feed(500))))
        let pressure = FakeMemoryPressure()
        let harness = LoadingHarness(pressure: pressure)
        harness.answerEverything()
        pressure.send(.critical)

        let manager = harness.manager

        let outcome = try await ProgramOutcome.of(manager, mailbox) {
            [
                StagedTerminal.Step(
                    isDue: { _ in manager.statistics.succeeded >= 8 },
                    action: { $0.type("s") }
                ),
                .see("and nothing is prefetched", press: "s"), .see("s closes", press: "s"),
                // Three frames are two ticks, after which it would have begun.
                .see("no7", press: "s"), .see("s shows more", press: "s"),
                .see("s closes", press: "s"), .see("no7", press: "q"),
            ]
        }

        #expect(outcome.ending == .quit)
        #expect(
            Set(harness.transport.starts.map(\.url)) == Set((0..<8).map(LoadingHarness.url))
        )
    }

    // F25
    @Test func `shown images are found again after memory was released`() async throws {
        let mailbox = try Mailbox<GalleryMail>()
        mailbox.post(.feed(.success(LoadingHarness.feed(8))))
        let pressure = FakeMemoryPressure()
        let harness = LoadingHarness(pressure: pressure)
        harness.answerEverything()
        let manager = harness.manager
        let sources = Protected<[ImageSource]>([])

        let outcome = try await ProgramOutcome.of(harness.manager, mailbox) {
            [
                StagedTerminal.Step(
                    isDue: { $0.contains("8 in memory") && !$0.contains("loading") },
                    action: { _ in mailbox.post(.notice("shown")) }
                ),
                .see("shown") { terminal in
                    pressure.send(.serious)
                    #expect(manager.statistics.memoryCache.entryCount == 0)
                    for number in 0..<8 {
                        var request = ImageRequest(url: LoadingHarness.url(number))
                        request.targetSize = PixelSize(width: 17, height: 16)
                        manager.load(request) { event in
                            guard case .finished(.success(let response)) = event else { return }
                            sources.withLock { $0.append(response.source) }
                        }
                    }
                    terminal.type("q")
                },
            ]
        }

        #expect(outcome.ending == .quit)
        #expect(sources.withLock { $0 } == Array(repeating: .memory, count: 8))
    }
}
