import Decoders
import Foundation
import ImageLoadingTesting
import SystemSupport
import Testing

@testable import ImageLoading

/// The manager under pressure.
@Suite struct MemoryPressureManagerTests {
    private let pressure = FakeMemoryPressure()
    private let transport = ScriptedTransport()
    private let manager: ImageManager

    init() {
        var configuration = ImageManagerConfiguration()
        configuration.disk = nil
        configuration.memoryPressure = pressure
        configuration.decodeThreadCount = 1
        configuration.decoders.register(PatternDecoder())
        manager = ImageManager(
            configuration: configuration,
            transport: transport,
            clock: ManualClock().clock
        )
        transport.answerStarts { _ in .body(PatternDecoder.bytes(width: 2, height: 2)) }
    }

    // C2, F25
    @Test func `a purge frees images, but no shown image is fetched or decoded again`()
        async throws
    {
        let shown = try await manager.response(for: ImageRequest(url: "http://a.example/1"))
        _ = try await manager.response(for: ImageRequest(url: "http://a.example/2"))
        try await manager.letGo()

        pressure.send(.serious)

        #expect(manager.statistics.memoryCache.entryCount == 0)
        let again = try await manager.response(for: ImageRequest(url: "http://a.example/1"))
        #expect(again.source == .memory)
        #expect(again.image == shown.image)
        let other = try await manager.response(for: ImageRequest(url: "http://a.example/2"))
        #expect(other.source == .network)
    }

    @Test func `the stage is in the statistics and reported to observers`() {
        let told = Protected<[MemoryStage]>([])
        manager.observeMemoryStage { stage in told.withLock { $0.append(stage) } }
        #expect(manager.statistics.memoryStage == .calm)

        pressure.send(.critical)

        #expect(manager.statistics.memoryStage == .restrained)
        #expect(told.withLock { $0 } == [.restrained])
    }

    @Test func `a manager without a source has no stage, and a released one ends its watch`() {
        var configuration = ImageManagerConfiguration()
        configuration.disk = nil
        let unwatched = ImageManager(configuration: configuration, transport: transport)
        configuration.memoryPressure = pressure
        var watched: ImageManager? = ImageManager(
            configuration: configuration,
            transport: transport
        )
        #expect(unwatched.statistics.memoryStage == nil)
        #expect(watched?.memoryPressureMethod == .byHand)
        #expect(pressure.watchCount == 2)

        watched = nil

        #expect(pressure.watchCount == 1)
    }

    @Test func `a watch may start later, and does not retain the manager`() {
        let clock = ManualClock()
        var configuration = ImageManagerConfiguration()
        configuration.disk = nil
        var late: ImageManager? = ImageManager(
            configuration: configuration,
            transport: transport,
            clock: clock.clock
        )
        late?.watchMemory(through: pressure, after: .seconds(1))
        clock.advance(by: .milliseconds(999))
        #expect(late?.memoryPressureMethod == nil && pressure.watchCount == 1)

        clock.advance(by: .milliseconds(1))
        #expect(late?.memoryPressureMethod == .byHand && pressure.watchCount == 2)

        late?.watchMemory(through: pressure, after: .seconds(1))
        late = nil
        clock.advance(by: .seconds(1))
        #expect(pressure.watchCount == 1)
    }

    @Test func `a narrowed pool runs one thread, and all again when widened`() {
        let pool = WorkerPool(name: "narrow", threadCount: 3)
        let entered = DispatchSemaphore(value: 0)
        let gate = Gate()
        pool.setWidth(1)
        for _ in 0..<3 {
            pool.submit(priority: .normal) {
                entered.signal()
                gate.pass()
            }
        }
        entered.wait()
        #expect(pool.waitingCount == 2)

        pool.setWidth(3)
        for _ in 0..<2 { entered.wait() }
        gate.open()

        #expect(pool.waitingCount == 0)
    }
}
