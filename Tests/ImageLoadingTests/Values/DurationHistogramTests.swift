import ImageLoading
import Testing

@Suite struct DurationHistogramTests {
    @Test func `an empty histogram has no percentile`() {
        #expect(DurationHistogram().percentile(0.5) == nil)
    }

    // The expected value is calculated from all durations, sorted, which take unbounded space.
    @Test(arguments: [1, 2, 10, 1000], [0, 0.25, 0.5, 0.99, 1])
    func `a percentile is at most a fifth above the one of all durations`(
        count: Int,
        part: Double
    ) throws {
        var histogram = DurationHistogram()
        var state: UInt64 = 42
        let durations = (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // From 10 µs to 80 s, with equally many of each order of magnitude.
            return Duration.microseconds((10 << (Int(state >> 33) % 24)) + Int(state >> 40) % 7)
        }
        for duration in durations { histogram.record(duration) }

        let rank = max(1, Int((part * Double(count)).rounded(.up)))
        let exact = durations.sorted()[rank - 1] / .microseconds(1)
        let found = try #require(histogram.percentile(part)) / .microseconds(1)

        #expect(histogram.count == count)
        #expect(found >= exact * 0.999_999 && found <= exact * 1.2)
    }

    @Test func `values outside all buckets are counted in the nearest one`() throws {
        var histogram = DurationHistogram()
        histogram.record(.zero)
        histogram.record(.seconds(-1))
        histogram.record(.seconds(1_000_000))

        #expect(try #require(histogram.percentile(0.5)) < .microseconds(13))
        #expect(try #require(histogram.percentile(1)) > .seconds(200))
    }
}
