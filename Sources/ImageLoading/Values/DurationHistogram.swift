internal import Glibc

/// A histogram of durations with a fixed number of buckets.
///
/// The upper limit of each bucket is 1.19 times (the fourth root of 2) the limit of the previous
/// bucket. For durations from 10 µs to five minutes, percentiles are therefore up to a fifth larger
/// than the recorded durations.
public struct DurationHistogram: Equatable, Sendable {
    private static let bucketCount = 100
    private static let bucketsPerDoubling = 4.0
    private static let least = 0.000_01

    /// The number of durations in each bucket; empty until the first duration is recorded.
    private var buckets: [UInt32] = []
    /// The number of recorded durations.
    public private(set) var count = 0

    /// Creates an empty histogram.
    public init() {}

    /// Adds a duration.
    public mutating func record(_ duration: Duration) {
        if buckets.isEmpty { buckets = Array(repeating: 0, count: Self.bucketCount) }
        let doublings = log2(max(duration / .seconds(1), Self.least) / Self.least)
        let bucket = min(Int(doublings * Self.bucketsPerDoubling), Self.bucketCount - 1)
        buckets[bucket] &+= 1
        count += 1
    }

    /// Returns the duration that the fraction `part` of all durations does not exceed.
    ///
    /// For example, 0.5 returns the median. Returns nil if the histogram is empty.
    public func percentile(_ part: Double) -> Duration? {
        guard count > 0 else { return nil }
        let rank = max(1, (part * Double(count)).rounded(.up))
        var seen = 0.0
        for (bucket, occurrences) in buckets.enumerated() {
            seen += Double(occurrences)
            guard seen < rank else {
                return .seconds(
                    Self.least * pow(2, Double(bucket + 1) / Self.bucketsPerDoubling)
                )
            }
        }
        return nil
    }
}
