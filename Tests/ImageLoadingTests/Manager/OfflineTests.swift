import ImageLoadingTesting
import Testing

@testable import ImageLoading

// Issue 3, HTTP: offline mode.
@Suite struct OfflineTests {
    private let transport = ScriptedTransport()
    private let manager: ImageManager

    init() {
        var configuration = ImageManagerConfiguration()
        configuration.disk = nil
        configuration.isOffline = true
        manager = ImageManager(configuration: configuration, transport: transport)
    }

    @Test func `an offline manager asks no server, neither for a picture nor for a feed`() async {
        let picture = await #expect(throws: ImageLoadingError.self) {
            _ = try await manager.response(for: ImageRequest(url: "http://a.example/1.png"))
        }
        let feed = await #expect(throws: ImageLoadingError.self) {
            _ = try await manager.body(of: "http://a.example/feed.txt")
        }

        #expect(picture?.reason == .notCached && feed?.reason == .notCached)
        #expect(transport.starts.isEmpty)
    }
}
