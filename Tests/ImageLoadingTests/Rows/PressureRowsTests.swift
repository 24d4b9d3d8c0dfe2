import Decoders
import ImageLoading
import ImageLoadingTesting
import Testing

struct PressureRowsTests {
    // C37
    @Test func `short memory costs images in memory and nothing on disk`() async throws {
        let bench = try CacheBench()
        let transport = ScriptedTransport()
        transport.answerStarts { _ in .body(PatternDecoder.bytes(width: 2, height: 2)) }
        let pressure = FakeMemoryPressure()
        var configuration = ImageManagerConfiguration()
        configuration.disk = DiskCacheConfiguration(directory: bench.directory)
        configuration.decoders.register(PatternDecoder())
        configuration.memoryPressure = pressure
        configuration.decodeThreadCount = 1
        let manager = ImageManager(
            configuration: configuration,
            transport: transport,
            clock: ManualClock().clock
        )
        let request = ImageRequest(url: "http://a.example/1.png")
        _ = try await manager.response(for: request)
        try await manager.letGo()
        await manager.flush()
        let files = bench.fileNames()

        pressure.send(.critical)

        #expect(manager.statistics.memoryCache.entryCount == 0)
        #expect(bench.fileNames() == files)
        #expect(try await manager.response(for: request).source == .disk)
    }
}
