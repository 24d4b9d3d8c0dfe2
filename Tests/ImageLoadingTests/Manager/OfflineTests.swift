import ImageLoadingTesting
import Testing

@testable import ImageLoading

// Offline mode.
@Suite struct OfflineTests {
    private let transport = ScriptedTransport()
    private let manager: ImageManager

    init() {
        var configuration = ImageManagerConfiguration()
        configuration.disk = nil
        configuration.isOffline = true
        manager = ImageManager(configuration: configuration, transport: transport)
    }

    @Test func `an offline manager asks no server, neither for an image nor for a feed`() async {
        let picture = await #expect(throws: ImageLoadingError.self) {
            _ = try await manager.response(for: ImageRequest(url: "http://a.example/1.png"))
        }
        let feed = await #expect(throws: ImageLoadingError.self) {
            _ = try await manager.body(of: "http://a.example/feed.txt")
        }

        #expect(picture?.reason == .notCached && feed?.reason == .notCached)
        #expect(transport.starts.isEmpty)
    }

    @Test func `entries that a prefetcher does not find are counted separately`() async {
        let requests = (0..<5).map { ImageRequest(url: "http://a.example/\($0).png") }
        let prefetcher = ImagePrefetcher(manager: manager)
        for destination in PrefetchOptions.Destination.allCases {
            let record = PrefetchRecord()
            let options = PrefetchOptions(destination: destination)
            prefetcher.prefetch(requests, options: options) { record.add($0) }
            _ = await record.completed()
        }
        _ = try? await manager.response(for: requests[0])

        let statistics = manager.statistics
        #expect(statistics.failed == 11)
        #expect(statistics.failedInBackground == 10)
    }
}
