/// An automatic demonstration of load cancellation, started by `termgallery demo --autoscroll`.
///
/// The demonstration scrolls and pauses, first with cancellation and then without it, to let the
/// user compare the waiting times. Then it starts over. Time is measured in ticks of 100 ms.
struct DemoStory: Equatable, Sendable {
    enum Phase: Int, CaseIterable, Sendable {
        case beginning, scrolling, resting, keeping, waiting, comparing
    }

    private(set) var phase = Phase.beginning
    private var ticks = 0
    private var scroll = AutoScroll(ticksPerRow: ticksPerRow)

    /// The interval between two rows, in ticks of 100 ms.
    ///
    /// At five rows per second, the demonstration scrolls faster than the demo images arrive.
    private static let ticksPerRow = 2

    /// Whether loads are cancelled in this phase.
    var cancels: Bool { phase != .keeping && phase != .waiting }

    /// Whether the waiting times are shown instead of the bytes that were not downloaded.
    var comparesTimes: Bool { phase == .waiting || phase == .comparing }

    /// The text that explains this phase to the user.
    var text: String {
        switch phase {
        case .beginning: "Each transfer has a lane."
        case .scrolling: "Scrolling: what leaves the screen stops loading."
        case .resting: "At rest: the images on the screen load at once."
        case .keeping: "Without cancellation: everything stays in the queue."
        case .waiting: "Now the image under the cursor must wait."
        case .comparing: "With cancellation again: the queue is empty."
        }
    }

    /// The text for a narrow window.
    var shortText: String {
        switch phase {
        case .beginning: "one sign per transfer"
        case .scrolling: "leaving stops loads"
        case .resting: "loads what is visible"
        case .keeping: "all stays in the queue"
        case .waiting: "the image must wait"
        case .comparing: "the queue is empty"
        }
    }

    /// Handles a tick, and returns the new top row.
    ///
    /// `isMissing` is true while the image under the cursor is loading, which the demonstration
    /// waits for.
    mutating func tick(topRow: Int, lastTopRow: Int, isMissing: Bool) -> Int {
        ticks += 1
        if ticks >= Self.duration(of: phase, isMissing: isMissing) {
            ticks = 0
            phase = Self.phase(after: phase)
        }
        guard phase == .scrolling || phase == .keeping else { return topRow }
        return scroll.tick(topRow: topRow, lastTopRow: lastTopRow)
    }

    private static func phase(after phase: Phase) -> Phase {
        Phase(rawValue: phase.rawValue + 1) ?? .scrolling
    }

    private static func duration(of phase: Phase, isMissing: Bool) -> Int {
        switch phase {
        case .beginning: 20
        case .scrolling, .keeping: 50
        case .resting: isMissing ? 60 : 25
        case .waiting: isMissing ? 200 : 25
        case .comparing: 40
        }
    }
}
