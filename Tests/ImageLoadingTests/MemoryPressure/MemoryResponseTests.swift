import Decoders
import ImageLoadingTesting
import SystemSupport
import Testing

@testable import ImageLoading

@Suite struct MemoryResponseTests {
    private let unit = MemoryStore.cost(of: .square(), for: .named("0"))
    private let clock = ManualClock()
    private let pressure = FakeMemoryPressure()
    private let events = Protected<[TraceEvent.Kind]>([])
    private let stages = Protected<[MemoryStage]>([])
    private let cache: MemoryCache
    private let response: MemoryResponse

    init() {
        let (events, stages) = (events, stages)
        let tracer = Tracer(clock: clock.clock) { event in
            events.withLock { $0.append(event.kind) }
        }
        cache = MemoryCache(byteLimit: 1 << 20, clock: clock.clock, tracer: tracer)
        response = MemoryResponse(memory: cache, clock: clock.clock)
        response.observe { stage in stages.withLock { $0.append(stage) } }
        response.watch(pressure)
        for number in 0..<10 { cache.insert(.square(), for: .named("\(number)")) }
    }

    private var heldCount: Int { cache.statistics.entryCount }

    // C2
    @Test func `moderate pressure halves the memory cache and reports it`() {
        pressure.send(.moderate)

        #expect(heldCount == 5)
        #expect(cache.image(for: .named("9")) != nil)
        #expect(
            events.withLock { $0 }
                == [.purged(.memory, byteCount: 5 * unit, reason: "memory pressure")]
        )
    }

    // C2, F25
    @Test func `serious pressure drops all but the shown images`() {
        let shown = cache.image(for: .named("3"))

        pressure.send(.serious)

        #expect(heldCount == 0)
        #expect(cache.image(for: .named("3")) == shown)
        #expect(cache.image(for: .named("4")) == nil)
    }

    @Test func `critical pressure forbids prefetching until it was quiet for a while`() {
        pressure.send(.critical)
        #expect(!response.stage.allowsPrefetching)

        clock.advance(by: MemoryGovernor.quietTime)

        #expect(response.stage.allowsPrefetching)
        #expect(stages.withLock { $0 } == [.restrained, .dropped])
    }

    @Test func `calm returns automatically, and then no alarm is left`() {
        pressure.send(.critical)

        clock.advance(by: MemoryGovernor.quietTime * 3)

        #expect(stages.withLock { $0 } == [.restrained, .dropped, .trimmed, .calm])
        #expect(clock.alarmCount == 0)
    }

    @Test func `one alarm is set, whatever the number of signs`() {
        for _ in 0..<100 { pressure.send(.moderate) }

        #expect(clock.alarmCount == 1)
    }

    @Test func `an observer that reads the stage is not blocked`() {
        let asked = Protected<[MemoryStage]>([])
        // Captured weakly, because the response retains its observers.
        response.observe { [weak response] _ in
            guard let stage = response?.stage else { return }
            asked.withLock { $0.append(stage) }
        }

        pressure.send(.serious)

        #expect(asked.withLock { $0 } == [.dropped])
    }

    @Test func `signs from many threads leave observers with the current stage`() async {
        await withTaskGroup { group in
            for number in 0..<200 {
                group.addTask { [clock, pressure] in
                    clock.advance(by: .seconds(number % 7))
                    pressure.send(MemoryPressure(rawValue: 1 + number % 3) ?? .moderate)
                }
            }
        }

        #expect(stages.withLock { $0.last } == response.stage)
        #expect(heldCount == 0)
    }

    @Test func `releasing it ends the watch`() {
        var other: MemoryResponse? = MemoryResponse(memory: cache, clock: clock.clock)
        other?.watch(pressure)
        #expect(pressure.watchCount == 2)

        other = nil

        #expect(pressure.watchCount == 1)
    }
}
