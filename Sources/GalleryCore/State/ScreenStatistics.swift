public import ImageLoading

/// How fast the screen follows, and what the terminal has.
public struct ScreenStatistics: Equatable, Sendable {
    /// From reading a key, or the mouse, to writing what came of it.
    public var keyTimes = DurationHistogram()
    /// From the start to the first image on the screen; nil before.
    public var firstPicture: Duration?
    /// What was sent in pixels.
    public var pictures = SentPictures()

    /// Makes statistics of nothing.
    public init() {}
}

/// Pictures in pixels that the terminal was sent.
public struct SentPictures: Equatable, Sendable {
    /// How many it has: of one that keeps them also those that are not shown.
    public var count = 0
    /// The bytes that all of them took on the line, since the start.
    public var bytesSent = 0

    /// Makes figures of nothing.
    public init() {}
}

/// How much came over the network in the last 50 seconds, for a curve.
///
/// Counts ticks of the frame timer, since the gallery has no clock; so it goes on only for as long as
/// somebody looks, and says when there is nothing more to see.
struct NetworkHistory: Equatable, Sendable {
    /// Bytes of each 2.4 seconds, the oldest first.
    private(set) var samples = Array(repeating: 0, count: 21)
    private var received: Int?
    /// What has come in the sample that is not complete yet.
    private var newest = 0
    private var ticks = 0

    private static let ticksPerSample = 24

    /// Whether the curve would still change if nothing came any more.
    var needsTicks: Bool { newest > 0 || samples.contains { $0 > 0 } }

    /// Bytes a second, of the newest sample that is complete.
    var bytesPerSecond: Int { (samples.last ?? 0) * 10 / Self.ticksPerSample }

    /// Counts a tick; `received` is the number of bytes since the start.
    mutating func tick(received total: Int) {
        guard let before = received else { return received = total }
        newest = max(0, total - before)
        ticks += 1
        guard ticks >= Self.ticksPerSample else { return }
        samples.removeFirst()
        samples.append(newest)
        newest = 0
        received = total
        ticks = 0
    }
}
