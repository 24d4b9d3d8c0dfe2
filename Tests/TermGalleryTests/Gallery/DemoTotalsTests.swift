import DemoServer
import FeedHarness
import ImageLoading
import SystemSupport
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TermGallery
@testable import TerminalUI

/// The lanes of a whole gallery that loads from the real demo server over sockets.
@Suite struct DemoTotalsTests {
    private static let pageDown = "jj"
    private static let pageUp = "kk"

    /// The counts of the gallery after its end.
    private struct Totals: Sendable {
        let notDownloaded: Int
        let unannounced: Int
        let cancelled: Int
        let pending: Int
    }

    private static func manager(_ trace: @escaping @Sendable (TraceEvent) -> Void) -> ImageManager {
        var configuration = ImageManagerConfiguration()
        configuration.trace = trace
        configuration.downloader.maximumConcurrentTransfers = 2
        configuration.downloader.order = .lastInFirstOut
        configuration.transport.proxy = ""
        configuration.isolation = .never
        configuration.disk = nil
        // Without room in memory, a cell that returns to the screen is requested again.
        configuration.memoryByteLimit = 1
        return ImageManager(configuration: configuration)
    }

    /// Returns whether two lanes show that bytes are arriving.
    private static func showsTransfers(_ screen: String) -> Bool {
        let lanes = screen.split(separator: "\n").suffix(3).dropLast()
        let words = lanes.joined(separator: " ").split(separator: " ")
        return zip(words, words.dropFirst()).count { number, unit in
            unit == "kB" && number.first?.isNumber == true
        } == 2
    }

    /// Presses keys when a frame shows a queue or transfers.
    private struct Press: Sendable {
        let keys: String
        var waitsForTransfers = false
    }

    private static func run(
        _ presses: [Press],
        _ manager: ImageManager,
        _ server: DemoServer,
        sizes: ItemByteCounts
    ) async throws -> Totals {
        let mailbox = try Mailbox<GalleryMail>()
        let base = server.feedURL.dropLast("feed.txt".count)
        let items = server.feedText.split(separator: "\n").dropFirst().map { line in
            FeedItem(url: base + String(line.prefix { $0 != " " }))
        }
        mailbox.post(.feed(.success(Feed(items: items, title: "demo"))))
        var settings = GallerySettings(prefetches: false)
        settings.lanes.areShown = true
        settings.lanes.byteCounts = sizes
        let shown = settings
        let run: @Sendable () -> Result<Totals, TerminalError> = {
            Result { () throws(TerminalError) in
                let steps = presses.map { press in
                    StagedTerminal.Step(
                        isDue: { screen in
                            press.waitsForTransfers
                                ? showsTransfers(screen) : screen.contains(" waiting")
                        },
                        action: { $0.type(press.keys) }
                    )
                }
                let program = try GalleryProgram(
                    terminal: StagedTerminal(steps: steps),
                    signals: SignalInbox(),
                    manager: manager,
                    mailbox: mailbox,
                    options: GalleryOptions(settings: shown, prefetch: .off)
                )
                _ = program.run()
                return Totals(
                    notDownloaded: program.state.notDownloadedByteCount,
                    unannounced: program.state.lanes.transfers.unannouncedByteCount,
                    cancelled: program.state.lanes.transfers.cancelledCount,
                    pending: program.state.lanes.transfers.pendingCount
                )
            }
        }
        // If an expected screen is not drawn, the time limit of the test ends the program, too.
        return try await withTaskCancellationHandler {
            try await blocking(run).get()
        } onCancel: {
            mailbox.post(.message(.input(.key(.character("q")))))
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `the bytes not downloaded equal those of the server within 1 percent`() async throws {
        let configuration = DemoConfiguration(
            count: 200,
            latency: .milliseconds(20),
            // An image takes ten seconds, so a busy machine shows transfers before they end, too.
            bandwidth: 4_000
        )
        let server = try DemoServer.start(configuration)
        defer { server.stop() }
        let announced = Protected(0)
        let manager = Self.manager { event in
            guard case .firstByte(_, let expected?) = event.kind else { return }
            announced.withLock { $0 += expected }
        }
        let sizes = DemoImageSizes.sizes(configuration)
        // Some pages are left before the server responds, others in the middle of their images, and
        // some return again and again.
        let down = (0..<8).map { Press(keys: Self.pageDown, waitsForTransfers: $0 % 3 > 0) }
        let again = (0..<20).map { number in
            Press(keys: number.isMultiple(of: 2) ? Self.pageUp : Self.pageDown)
        }
        let up = down.map { Press(keys: Self.pageUp, waitsForTransfers: $0.waitsForTransfers) }
        let totals = try await Self.run(
            down + again + up + [Press(keys: "q")],
            manager,
            server,
            sizes: ItemByteCounts(first: sizes.first, mean: sizes.mean)
        )

        while server.counters.liveNow > 0, !Task.isCancelled { await Task.yield() }
        let (engine, counters) = (manager.statistics, server.counters)
        let saved = engine.bytesSaved + engine.bytesNotNeeded
        #expect(counters.aborted > 15 && saved > 500_000, "\(counters) \(saved)")
        #expect(totals.unannounced > 300_000 && totals.cancelled > 40, "\(totals)")
        let onePercent = (totals.notDownloaded + engine.bytesReceived) / 100
        #expect(
            abs(engine.bytesReceived - counters.bytesSent) <= onePercent,
            "received \(engine.bytesReceived), sent \(counters.bytesSent)"
        )
        // A load may be cancelled while the head of its response is on its way. Its size is then
        // announced, but not known to the client, and the gallery counts the size known in advance.
        let known = announced.withLock { $0 }
        let unknown = counters.bytesAnnounced - known
        #expect(
            (0...totals.unannounced).contains(unknown),
            "announced \(counters.bytesAnnounced), known \(known), \(totals)"
        )
        #expect(
            abs(saved - (known - counters.bytesSent)) <= onePercent,
            "saved \(saved), known \(known), sent \(counters.bytesSent)"
        )
        // The last screen is cancelled after the last frame, so it is not in the gallery's counts.
        #expect(totals.notDownloaded <= saved + totals.unannounced)
        #expect(totals.pending <= 8)
    }
}
