import FeedHarness
import ImageLoading
import ImageLoadingTesting
import SystemSupport
import Testing

@testable import Feeds
@testable import TermGallery
@testable import TerminalUI

/// Cells of the gallery whose server is away: they wait as long as they are on the screen.
@Suite struct WaitingCellBindingsTests {
    @Test func `a cell shows why it waits, and gets its image when the server is back`() async {
        let clock = RunningClock()
        let harness = LoadingHarness(clock: clock.clock, patience: .seconds(1 << 40))
        let (news, continuation) = AsyncStream.makeStream(of: ImageDelivery.self)
        let isBack = Protected(false)
        harness.transport.answerStarts { _ in
            isBack.withLock { $0 }
                ? .body(LoadingHarness.picture) : .failure(.transfer(.noConnection))
        }
        let heard = Protected<[String]>([])
        let bindings = CellBindings(
            manager: harness.manager,
            deliver: { continuation.yield($0) },
            listener: { _, event in
                switch event {
                case .waiting(let error): heard.withLock { $0.append(error.description) }
                case .finished(.success): heard.withLock { $0.append("there") }
                case .finished(.failure(let error)): heard.withLock { $0.append("no: \(error)") }
                case .queued, .progress, .preview: break
                }
            }
        )
        bindings.bind(slot: 0, to: ImageRequest(url: LoadingHarness.url(0)))
        for await delivery in news {
            bindings.accept(delivery)
            if delivery.isFinal { break }
            guard heard.withLock({ $0.last == "connection refused" }) else { continue }
            let isFirst = isBack.withLock { isBack in
                defer { isBack = true }
                return !isBack
            }
            if isFirst { clock.start() }
        }
        clock.stop()

        #expect(heard.withLock { $0.first == "connection refused" && $0.last == "there" })
        #expect(heard.withLock { $0.contains { $0.hasPrefix("no:") } } == false)
    }

    @Test func `leaving the screen ends the waiting`() async {
        let clock = ManualClock()
        let harness = LoadingHarness(clock: clock.clock)
        let (waits, continuation) = AsyncStream.makeStream(of: ImageDelivery.self)
        harness.transport.answerStarts { _ in .failure(.transfer(.noConnection)) }
        let bindings = CellBindings(
            manager: harness.manager,
            deliver: { continuation.yield($0) },
            listener: { _, _ in }
        )
        bindings.bind(slot: 0, to: ImageRequest(url: LoadingHarness.url(0)))
        await harness.transport.waitForStarts(1)
        _ = await waits.first { !$0.isProgress }

        bindings.unbind(0)
        clock.advance(by: .seconds(1_000))

        #expect(!harness.manager.isRunning && harness.manager.statistics.queuedTransfers == 0)
    }
}
