import Decoders
import Glibc

/// Asks a terminal questions and stores the findings.
///
/// `TerminalInquiry` makes the decisions. This class does the input and output on the UI thread.
package final class TerminalInterview {
    /// The current findings.
    package private(set) var findings: TerminalFindings
    /// The questions and answers.
    private(set) var inquiry: TerminalInquiry

    private let environment: TerminalEnvironment
    private let descriptors: TerminalDescriptors
    private let output: TerminalOutput
    private let tmux = TmuxQuery()
    private var surroundings: TerminalSurroundings
    private var decided: (answers: TerminalAnswers, surroundings: TerminalSurroundings)
    /// One black pixel, used to find out whether the terminal reads shared memory.
    private var pixel: SharedMemory?
    private var hasSwitchedClusters = false
    private let hasScreen: Bool
    /// Whether symbols were written over the current frame to measure their widths.
    private var hasWrittenSigns = false
    /// The time at which to ask tmux again, because tmux identifies a terminal only some time after
    /// that terminal was attached.
    private var tmuxRetry: Duration?
    private var tmuxRetriesLeft = 0
    /// All questions asked since the start of the last round.
    package private(set) var asked: [TerminalQuestion] = []

    /// Creates an interview.
    ///
    /// `hasScreen` indicates whether frames are painted on the screen.
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
        inquiry = TerminalInquiry(
            TerminalQuestions(environment, asksColor: !profile.isColorSettled)
        )
        surroundings = TerminalSurroundings(profile: profile, pixels: pixels)
        decided = (inquiry.answers, surroundings)
        findings = TerminalFindings(inquiry.answers, surroundings)
    }

    /// A descriptor that is readable when tmux has answered, or -1 while tmux is not being asked.
    package var descriptor: Int32 { tmux.descriptor }

    /// The time at which to call `proceed` even without input, or nil if no call is needed.
    var deadline: Duration? {
        [inquiry.deadline, tmux.deadline, tmuxRetry].compactMap(\.self).min()
    }

    /// Whether no more answers are expected.
    package var isSettled: Bool { inquiry.isSettled && tmux.descriptor < 0 }

    /// Records that a frame was painted, so that questions may be asked.
    func painted(now: Duration) {
        inquiry.painted()
        proceed(now: now)
    }

    /// Returns whether a part of the frame must be written again because symbols were measured
    /// there, and resets this state.
    func takeWrittenSigns() -> Bool {
        defer { hasWrittenSigns = false }
        return hasWrittenSigns
    }

    /// Updates the size of the screen.
    package func resized(to screen: ScreenSize) {
        let pixels = descriptors.windowPixels
        guard surroundings.screen != screen || surroundings.windowPixels != pixels else { return }
        (surroundings.screen, surroundings.windowPixels) = (screen, pixels)
        inquiry.changed()
        decide()
    }

    /// Prepares for releasing the screen.
    package func leaving() {
        inquiry.leaving()
    }

    /// Ends the round after the screen was released.
    package func left() {
        inquiry.left()
        if hasSwitchedClusters { _ = output.write(Array("\u{1B}[?2027l".utf8)[...]) }
        hasSwitchedClusters = false
        tmux.stop()
        (tmuxRetry, pixel) = (nil, nil)
    }

    /// Processes replies from the terminal.
    package func take(_ replies: [TerminalReply], now: Duration) {
        for reply in replies { ask(inquiry.take(reply, now: now), now: now) }
        proceed(now: now)
    }

    /// Handles typing by the user.
    package func typed(now: Duration) {
        inquiry.typed(now: now)
    }

    /// Performs the actions that are due.
    package func proceed(now: Duration) {
        inquiry.expire(now: now)
        let due = inquiry.due(now: now, screen: surroundings.screen)
        if !due.isEmpty { asked = [] }
        ask(due, now: now)
        // The object is kept until no answer can arrive, because a terminal that starts slowly
        // reads it late.
        if !inquiry.isAwaiting(now: now) { pixel = nil }
        askTmux(now: now)
        decide()
        switchClustersOn()
    }

    private func ask(_ questions: [TerminalQuestion], now: Duration) {
        guard !questions.isEmpty else { return }
        asked += questions.filter { !asked.contains($0) }
        if questions.contains(.kittySharedMemory) { pixel = SharedMemory([0, 0, 0]) }
        if questions.contains(.signWidth) { hasWrittenSigns = hasScreen }
        let bytes = TerminalQuestions.bytes(
            questions,
            sharedMemory: pixel?.name ?? "",
            hasScreen: hasScreen
        )
        _ = output.write(bytes[...])
        let isTmux = inquiry.collected.name?.is("tmux") ?? false
        if isTmux, environment.isInsideTmux {
            tmuxRetriesLeft = 3
            tmux.start(now: now)
        }
    }

    private func askTmux(now: Duration) {
        if let time = tmuxRetry, now >= time {
            tmuxRetry = nil
            tmux.start(now: now)
        }
        guard tmux.take(now: now) else { return }
        surroundings.tmux = tmux.answer
        guard tmux.answer?.terminal == nil, tmuxRetriesLeft > 0 else { return }
        tmuxRetriesLeft -= 1
        tmuxRetry = now + .seconds(1)
    }

    private func decide() {
        surroundings.isAskedScreen = inquiry.askedScreen == surroundings.screen
        guard inquiry.answers != decided.answers || surroundings != decided.surroundings else {
            return
        }
        decided = (inquiry.answers, surroundings)
        findings = TerminalFindings(inquiry.answers, surroundings)
    }

    /// Turns on the mode for grapheme clusters if the terminal supports it.
    ///
    /// The gallery then measures the widths of captions by clusters too.
    private func switchClustersOn() {
        guard !hasSwitchedClusters, inquiry.answers.mode(.graphemeClusters) == 2 else { return }
        hasSwitchedClusters = output.write(Array("\u{1B}[?2027h".utf8)[...])
    }
}
