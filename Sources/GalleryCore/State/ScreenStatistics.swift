package import ImageLoading
package import TerminalUI

/// The latency of the screen, and the images in the terminal.
package struct ScreenStatistics: Equatable, Sendable {
    /// The time from reading an input event to writing its result.
    package var keyTimes = DurationHistogram()
    /// The time from the start to the first visible image; nil before.
    package var firstPicture: Duration?
    /// The images that were sent in pixels.
    package var pictures = SentPictures()

    /// Creates empty statistics.
    package init() {}
}

/// The network traffic of the last 50 seconds, for a chart.
///
/// It counts ticks of the frame timer, because the gallery has no clock. It therefore continues
/// only while it is visible, and reports when it no longer changes.
struct NetworkHistory: Equatable, Sendable {
    /// The bytes of each 2.4 seconds, the oldest first.
    private(set) var samples = Array(repeating: 0, count: 21)
    private var received: Int?
    /// The bytes of the current, incomplete sample.
    private var newest = 0
    private var ticks = 0

    private static let ticksPerSample = 24

    /// Whether the chart would still change without further traffic.
    var needsTicks: Bool { newest > 0 || samples.contains { $0 > 0 } }

    /// The bytes per second in the newest complete sample.
    var bytesPerSecond: Int { (samples.last ?? 0) * 10 / Self.ticksPerSample }

    /// Processes a tick; `received` is the number of bytes since the start.
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
