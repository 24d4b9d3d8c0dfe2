import Decoders
import FeedHarness
import ImageLoadingTesting
import Testing

@testable import Feeds
@testable import GalleryCore
@testable import ImageLoading
@testable import TermGallery
@testable import TerminalUI

@Suite(.timeLimit(.minutes(5))) final class FolderCoversTests {
    private let folder = TestFolder()
    private let other = TestFolder()
    private let harness = LoadingHarness()
    private let mailbox: Mailbox<GalleryMail>
    private let covers: FolderCovers
    private var events: [CoverEvent] = []

    init() throws {
        mailbox = try Mailbox()
        covers = FolderCovers(manager: harness.manager, mailbox: mailbox)
        covers.listener = { [unowned self] _, event in events.append(event) }
        for number in 1...2 { folder.add("\(number).png", LoadingHarness.picture) }
        other.add("1.png", LoadingHarness.picture)
    }

    private func bind(_ path: String) {
        covers.bind(
            slot: 0,
            to: path,
            includesHidden: false,
            look: FolderCovers.Look(
                filling: PixelSize(width: 20, height: 10),
                on: ScreenCapabilities(colorDepth: .trueColor, symbols: .halfBlocks)
            ),
            options: []
        )
    }

    /// Passes events to the covers until the last event that a listener received meets a condition.
    private func accept(until isLast: (CoverEvent) -> Bool) async {
        while events.last.map(isLast) != true {
            for case .cover(let delivery) in mailbox.takeAll() {
                covers.accept(delivery)
                if events.last.map(isLast) == true { return }
            }
            await Task.yield()
        }
    }

    private static func isListing(_ event: CoverEvent) -> Bool {
        if case .listed = event { true } else { false }
    }

    private static func isEnd(_ event: CoverEvent) -> Bool {
        switch event {
        case .listed, .loaded: false
        case .finished, .unreadable, .failed: true
        }
    }

    private var listedCounts: [Int] {
        events.compactMap { event in
            if case .listed(let contents) = event { contents.imageCount } else { nil }
        }
    }

    @Test func `the cover consists of the images of the folder, each loaded by itself`() async {
        bind(folder.path)
        await accept(until: Self.isEnd)

        #expect(listedCounts == [2])
        #expect(events.count == 4, "listed, loaded twice, finished")
        guard case .finished(let pixels) = events.last else {
            Issue.record("no cover: \(events)")
            return
        }
        #expect(pixels?.size == PixelSize(width: 20, height: 10))
        #expect(!harness.manager.isRunning)
    }

    @Test func `a cell that leaves the screen cancels the loads of its cover`() async {
        bind(folder.path)
        await accept(until: Self.isListing)

        covers.unbind(0)

        #expect(!harness.manager.isRunning)
        // Another slot's cover follows all events of the first.
        events = []
        bind(other.path)
        await accept(until: Self.isEnd)
        #expect(listedCounts == [1])
        #expect(events.count == 3, "listed, loaded, finished")
    }

    @Test func `a slot that shows another folder ignores the first one's events`() async {
        bind(folder.path)
        bind(other.path)
        await accept(until: Self.isEnd)

        #expect(listedCounts == [1])
    }

    @Test func `a folder that cannot be read says why, and an empty one has no cover`() async {
        bind(folder.path + "/missing")
        await accept(until: Self.isEnd)
        guard case .unreadable(let reason) = events.last else {
            Issue.record("\(events)")
            return
        }
        #expect(reason == "No such file or directory")

        let empty = TestFolder()
        events = []
        bind(empty.path)
        await accept(until: Self.isEnd)
        guard case .finished(nil) = events.last else {
            Issue.record("\(events)")
            return
        }
    }
}
