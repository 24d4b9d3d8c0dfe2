import ImageLoading
import Testing

@testable import GalleryCore

@Suite struct StatisticsStateTests {
    @Test func `only another paused server is reported`() {
        var state = StatisticsState()
        var counters = LoadingStatistics()
        #expect(state.update(.loading(counters)) == false)
        counters.unavailableHosts = 1
        #expect(state.update(.loading(counters)) == true)
        #expect(state.update(.loading(counters)) == false)
        #expect(state.update(.prefetching(PrefetchStatistics(), [])) == false)
        #expect(state.update(.screen(ScreenStatistics())) == false)
        counters.unavailableHosts = 2
        #expect(state.update(.loading(counters)) == true)
        #expect(state.loading == counters)
    }

    @Test func `low memory forbids prefetching`() {
        var state = StatisticsState()
        #expect(!state.forbidsPrefetching)
        var counters = LoadingStatistics()
        counters.memoryStage = .restrained
        _ = state.update(.loading(counters))
        #expect(state.forbidsPrefetching)
    }
}
