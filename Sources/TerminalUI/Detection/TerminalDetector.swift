import Decoders
import Glibc

/// Sends queries to a terminal, and determines the terminal's capabilities from the replies.
///
/// `QueryRounds` decides what to send. This class performs the input and output on the UI thread.
package final class TerminalDetector {
    /// The detected capabilities.
    package private(set) var detected: TerminalCapabilities
    /// The rounds of queries and the replies to them.
    private(set) var rounds: QueryRounds

    private let environment: TerminalEnvironment
    private let descriptors: TerminalDescriptors
    private let output: TerminalOutput
    private let tmux = TmuxQuery()
    private var surroundings: TerminalSurroundings
    private var decided: (replies: TerminalReplies, surroundings: TerminalSurroundings)
    /// A black pixel, used to test whether the terminal reads shared memory.
    private var pixel: SharedMemory?
    private var hasSwitchedClusters = false
    private let hasScreen: Bool
    /// Whether symbols were written over the current frame to measure their widths.
    private var hasWrittenSigns = false
    /// All queries sent since the start of the last round.
    package private(set) var asked: [TerminalQuery] = []

    /// Creates a detector.
    ///
    /// `hasScreen` is true if frames are painted on the screen.
    init(
        _ environment: TerminalEnvironment,
        profile: ScreenProfile,
        pixels: PixelChoice,
        descriptors: TerminalDescriptors,
        output: TerminalOutput,
        hasScreen: Bool = true
    ) {
        self.hasScreen = hasScreen
        self.environment = environment
        self.descriptors = descriptors
        self.output = output
        rounds = QueryRounds(
            TerminalQueries(environment, asksColor: !profile.isColorSettled),
            waitsForSlowLine: !hasScreen
        )
        surroundings = TerminalSurroundings(profile: profile, pixels: pixels)
        decided = (rounds.replies, surroundings)
        detected = TerminalCapabilities(rounds.replies, surroundings)
    }

    /// A descriptor that becomes readable when tmux writes output or exits, or -1 if no query to
    /// tmux is running.
    package var descriptor: Int32 { tmux.descriptor }

    /// The time at which `proceed` must be called even if there is no input, or nil if no call is
    /// needed.
    var deadline: Duration? {
        [rounds.deadline, tmux.deadline].compactMap(\.self).min()
    }

    /// Whether no more replies are expected.
    package var isSettled: Bool { rounds.isSettled && tmux.descriptor < 0 }

    /// Records that a frame was painted, so queries may be sent now.
    func painted(now: Duration) {
        rounds.painted()
        proceed(now: now)
    }

    /// Returns whether symbols have been measured since the last call, and resets this state.
    ///
    /// If so, the part of the frame that they cover must be written again.
    func takeWrittenSigns() -> Bool {
        defer { hasWrittenSigns = false }
        return hasWrittenSigns
    }

    /// Updates the screen size, and requests a new round of queries if the size has changed.
    package func resized(to screen: ScreenSize) {
        let pixels = descriptors.windowPixels
        guard surroundings.screen != screen || surroundings.windowPixels != pixels else { return }
        (surroundings.screen, surroundings.windowPixels) = (screen, pixels)
        rounds.changed()
        decide()
    }

    /// Stops sending queries; call this method before the screen is released.
    package func leaving() {
        rounds.leaving()
    }

    /// Cleans up after the screen is released.
    ///
    /// Ends the round of queries, turns off mode 2027 (grapheme clusters) if the detector turned it
    /// on, and stops querying tmux.
    package func left() {
        rounds.left()
        if hasSwitchedClusters { _ = output.write(Array("\u{1B}[?2027l".utf8)[...]) }
        hasSwitchedClusters = false
        tmux.stop()
        pixel = nil
    }

    /// Processes replies from the terminal.
    package func take(_ replies: [TerminalReply], now: Duration) {
        for reply in replies { ask(rounds.take(reply, now: now), now: now) }
        proceed(now: now)
    }

    /// Records that the user has typed; in tmux, this may start a new round of queries.
    package func typed(now: Duration) {
        rounds.typed(now: now)
    }

    /// Starts or ends a round of queries if it is due, reads tmux's reply, and updates the
    /// capabilities.
    package func proceed(now: Duration) {
        rounds.expire(now: now)
        let due = rounds.due(now: now, screen: surroundings.screen)
        if !due.isEmpty { asked = [] }
        ask(due, now: now)
        // The object is kept until no more replies can arrive, because a terminal that starts
        // slowly may read it late.
        if !rounds.isAwaiting(now: now) { pixel = nil }
        if tmux.proceed(now: now) { surroundings.tmux = tmux.answer }
        decide()
        switchClustersOn()
    }

    private func ask(_ queries: [TerminalQuery], now: Duration) {
        guard !queries.isEmpty else { return }
        asked += queries.filter { !asked.contains($0) }
        if queries.contains(.kittySharedMemory) { pixel = SharedMemory([0, 0, 0]) }
        if queries.contains(.signWidth) { hasWrittenSigns = hasScreen }
        let pixelName = pixel?.name ?? ""
        let bytes = queries.flatMap {
            Array($0.request(sharedMemory: pixelName, hasScreen: hasScreen).utf8)
        }
        _ = output.write(bytes[...])
        let isTmux = rounds.collected.name?.is("tmux") ?? false
        if isTmux, environment.isInsideTmux { tmux.start(now: now) }
    }

    private func decide() {
        surroundings.isAskedScreen = rounds.askedScreen == surroundings.screen
        guard rounds.replies != decided.replies || surroundings != decided.surroundings else {
            return
        }
        decided = (rounds.replies, surroundings)
        detected = TerminalCapabilities(rounds.replies, surroundings)
    }

    /// Turns on mode 2027 (grapheme clusters) if the terminal supports it but it is off.
    ///
    /// In this mode, the gallery also measures the widths of captions by grapheme clusters.
    private func switchClustersOn() {
        guard !hasSwitchedClusters, rounds.replies.mode(.graphemeClusters) == 2 else { return }
        hasSwitchedClusters = output.write(Array("\u{1B}[?2027h".utf8)[...])
    }
}
