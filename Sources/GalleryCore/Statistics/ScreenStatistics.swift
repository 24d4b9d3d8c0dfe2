package import ImageLoading
package import TerminalUI

/// The response times of the screen, and the images stored in the terminal.
package struct ScreenStatistics: Equatable, Sendable {
    /// The times from reading an input event until the resulting output is written to the terminal.
    package var keyTimes = DurationHistogram()
    /// The time from the start of the program to the first visible image, or nil if no image has
    /// been shown yet.
    package var firstPicture: Duration?
    /// The waiting times from scrolling until the image under the cursor was visible.
    package var scrollWait = ScrollWait()
    /// The number of images stored in the terminal, and the number of bytes sent for them.
    package var pictures = SentPictures()

    /// Creates empty statistics.
    package init() {}
}

/// The network traffic of the last 50 seconds, shown as a chart.
///
/// Time is measured in ticks of the frame timer because the gallery has no clock. Traffic is
/// recorded only while the chart is visible. Once all values are 0, the chart stops changing and
/// `needsTicks` becomes false.
struct NetworkHistory: Equatable, Sendable {
    /// The number of bytes received in each interval of 2.4 seconds, oldest first.
    private(set) var samples = Array(repeating: 0, count: 21)
    private var received: Int?
    /// The number of bytes received in the current, incomplete interval.
    private var newest = 0
    private var ticks = 0

    private static let ticksPerSample = 24

    /// Whether the chart will change even if no more bytes are received.
    var needsTicks: Bool { newest > 0 || samples.contains { $0 > 0 } }

    /// The number of bytes received per second in the newest complete interval.
    var bytesPerSecond: Int { (samples.last ?? 0) * 10 / Self.ticksPerSample }

    /// Handles a tick.
    ///
    /// `total` is the number of bytes received since the program started.
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
