import Decoders
import FeedHarness
import GalleryCore
import ImageLoading
import ImageLoadingTesting
import Testing

@testable import Feeds
@testable import GalleryCore
@testable import TermGallery
@testable import TerminalUI

@Suite struct GalleryPrefetcherTests {
    private let harness = LoadingHarness()

    private func loader(
        of harness: LoadingHarness? = nil,
        mode: GalleryPrefetcher.Mode = .memory,
        isAllowed: @escaping @Sendable () -> Bool = { true }
    ) throws -> GalleryPrefetcher {
        GalleryPrefetcher(
            manager: (harness ?? self.harness).manager,
            mode: mode,
            mailbox: try Mailbox(),
            isAllowed: isAllowed
        )
    }

    private func prefetch(_ soon: Range<Int>, _ later: Range<Int> = 0..<0) -> PrefetchRequest {
        PrefetchRequest(
            soon: Array(soon),
            later: Array(later),
            targetSize: PixelSize(width: 8, height: 8)
        )
    }

    private func request(_ item: Int) -> ImageRequest? {
        item == 13 ? nil : ImageRequest(url: LoadingHarness.url(item))
    }

    @Test func `soon visible images are loaded first, and unloadable ones are left out`()
        async throws
    {
        let loader = try loader()

        loader.load(prefetch(12..<14, 20..<24), request: request)
        await harness.transport.waitForStarts(3)

        #expect(
            Set(harness.transport.starts.map(\.url))
                == Set([12, 20, 21].map(LoadingHarness.url))
        )
    }

    @Test func `another request continues the shared loads and cancels the rest`() async throws {
        let loader = try loader()
        loader.load(prefetch(0..<3), request: request)
        await harness.transport.waitForStarts(3)

        loader.pause()
        loader.load(prefetch(2..<5), request: request)
        await harness.transport.waitForCancels(2)
        #expect(harness.transport.runningURLs == [LoadingHarness.url(2)])
        loader.resume()
        await harness.transport.waitForStarts(5)

        #expect(
            Set(harness.transport.runningURLs) == Set([2, 3, 4].map(LoadingHarness.url))
        )
        #expect(harness.transport.starts.count == 5)
    }

    @Test func `an empty request and short memory stop it`() async throws {
        let loader = try loader()
        loader.load(prefetch(0..<3), request: request)
        await harness.transport.waitForStarts(3)

        loader.load(nil, request: request)
        await harness.transport.waitForCancels(3)
        #expect(!harness.manager.isRunning)

        let forbidden = try self.loader(isAllowed: { false })
        forbidden.load(prefetch(0..<3), request: request)
        #expect(forbidden.statistics.ended.skipped == 3)
        #expect(harness.transport.starts.count == 3)
    }

    @Test func `each running transfer is reported with its item and its progress`() async throws {
        let harness = LoadingHarness()
        let loader = try loader(of: harness)

        loader.load(prefetch(5..<7), request: request)
        await harness.transport.waitForStarts(2)
        let url = try #require(request(5)).url
        harness.transport.send(.head(TransferHead(status: 200, expectedByteCount: 8)), to: url)
        harness.transport.send(.chunk([1, 2, 3]), to: url)

        let expected = PrefetchTransfer(item: 5, progress: LoadProgress(received: 3, expected: 8))
        while !loader.transfers(in: loader.statistics).contains(expected),
            !Task.isCancelled
        {
            await Task.yield()
        }
        loader.cancelAll()
        #expect(loader.transfers(in: loader.statistics).isEmpty)
    }

    @Test(arguments: [(GalleryPrefetcher.Mode.disk, 0), (.memory, 1)])
    func `images are prefetched to the stage of the mode`(
        mode: GalleryPrefetcher.Mode,
        inMemory: Int
    )
        async throws
    {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let harness = LoadingHarness(disk: DiskCacheConfiguration(directory: folder.path))
        harness.answerEverything()
        let loader = try loader(of: harness, mode: mode)

        loader.load(prefetch(0..<1), request: request)
        while loader.statistics.ended.loaded < 1, !Task.isCancelled { await Task.yield() }
        await harness.manager.flush()

        #expect(harness.manager.statistics.memoryCache.entryCount == inMemory)
        #expect(harness.manager.statistics.diskCache.entryCount == 1)
    }

    // C2
    @Test func `permission follows the memory stage, and each change is posted`() throws {
        let pressure = FakeMemoryPressure()
        let harness = LoadingHarness(pressure: pressure)
        let mailbox = try Mailbox<GalleryMail>()
        let isAllowed = PrefetchPermission.watching(harness.manager, mailbox: mailbox)
        #expect(isAllowed())

        pressure.send(.critical)

        #expect(!isAllowed())
        #expect(mailbox.takeAll().count == 1)
        let late = PrefetchPermission.watching(harness.manager, mailbox: mailbox)
        #expect(!late())
    }

    @Test func `a cell that becomes visible joins its prefetched load`() async throws {
        let loader = try loader()
        loader.load(prefetch(0..<1), request: request)
        await harness.transport.waitForStarts(1)
        let bindings = CellBindings(
            manager: harness.manager,
            deliver: { _ in },
            listener: { _, _ in }
        )

        var visible = ImageRequest(url: LoadingHarness.url(0))
        visible.targetSize = PixelSize(width: 8, height: 8)
        bindings.bind(slot: 0, to: visible)
        loader.load(nil, request: request)

        #expect(harness.manager.statistics.coalesced == 1)
        #expect(harness.transport.runningURLs == [LoadingHarness.url(0)])
    }
}
