import DemoServer
import FeedHarness
import ImageLoading
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

    private static func manager() -> ImageManager {
        var configuration = ImageManagerConfiguration()
        configuration.downloader.order = .lastInFirstOut
        configuration.transport.proxy = ""
        configuration.isolation = .never
        configuration.disk = nil
        // Without room in memory, a cell that returns to the screen is requested again.
        configuration.memoryByteLimit = 1
        return ImageManager(configuration: configuration)
    }

    /// Returns whether three lanes show that bytes are arriving, or nothing is loading anymore.
    private static func showsTransfers(_ screen: String) -> Bool {
        guard screen.contains(" loading") || screen.contains(" waiting") else { return true }
        let lanes = screen.split(separator: "\n").suffix(3).dropLast()
        let words = lanes.joined(separator: " ").split(separator: " ")
        return zip(words, words.dropFirst()).count { number, unit in
            unit == "kB" && number.first?.isNumber == true
        } >= 3
    }

    /// Presses keys, each in the next frame or when a frame shows transfers.
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
        return try await blocking {
            Result { () throws(TerminalError) in
                let steps = presses.map { press in
                    StagedTerminal.Step(
                        isDue: { screen in
                            screen.contains("/200")
                                && (!press.waitsForTransfers || showsTransfers(screen))
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
        .get()
    }

    @Test(.timeLimit(.minutes(5)))
    func `the bytes not downloaded equal those of the server within 1 percent`() async throws {
        let configuration = DemoConfiguration(
            count: 200,
            latency: .milliseconds(20),
            bandwidth: 100_000
        )
        let server = try DemoServer.start(configuration)
        defer { server.stop() }
        let manager = Self.manager()
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

        while server.counters.liveNow > 0 { await Task.yield() }
        let (engine, counters) = (manager.statistics, server.counters)
        let notSent = counters.bytesAnnounced - counters.bytesSent
        let saved = engine.bytesSaved + engine.bytesNotNeeded
        #expect(counters.aborted > 15 && saved > 500_000, "\(counters) \(saved)")
        #expect(totals.unannounced > 300_000 && totals.cancelled > 40, "\(totals)")
        // A server may have announced an image whose load is cancelled before the client knows it.
        // The gallery then counts the known size instead.
        let onePercent = (totals.notDownloaded + engine.bytesReceived) / 100
        #expect(
            abs(engine.bytesReceived - counters.bytesSent) <= onePercent,
            "received \(engine.bytesReceived), sent \(counters.bytesSent)"
        )
        #expect(
            abs(saved - notSent) <= onePercent,
            "saved \(saved), not sent \(notSent), announced \(counters.bytesAnnounced)"
        )
        // The last screen is cancelled after the last frame, so it is not in the gallery's counts.
        #expect(totals.notDownloaded <= saved + totals.unannounced)
        #expect(totals.pending <= 8)
    }
}
