import Decoders
import GalleryCore
import Glibc

/// Asks a terminal, and keeps what is found: the side of `TerminalInquiry` that writes.
///
/// Lives on the UI thread.
final class TerminalInterview {
    /// What is known so far.
    private(set) var findings: TerminalFindings
    /// The questions and answers.
    private(set) var inquiry: TerminalInquiry

    private let environment: TerminalEnvironment
    private let descriptors: TerminalDescriptors
    private let output: TerminalOutput
    private let tmux = TmuxQuery()
    private var surroundings: TerminalSurroundings
    private var decided: (answers: TerminalAnswers, surroundings: TerminalSurroundings)
    /// For the question whether the terminal reads shared memory: one black pixel.
    private var pixel: SharedMemory?
    private var hasSwitchedClusters = false
    private let hasScreen: Bool
    /// Whether signs were written over the frame that is on the screen.
    private var hasWrittenSigns = false
    /// When to ask tmux again: it learns of a terminal a while after it was attached to it.
    private var tmuxRetry: Duration?
    private var tmuxRetriesLeft = 0
    /// Everything that was asked since the start of the last round.
    private(set) var asked: [TerminalQuestion] = []

    /// `hasScreen` is whether frames are painted on the screen.
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

    /// Readable when tmux has answered; -1 while it isn't asked.
    var descriptor: Int32 { tmux.descriptor }

    /// When to call `proceed` though nothing has come; nil for never.
    var deadline: Duration? {
        [inquiry.deadline, tmux.deadline, tmuxRetry].compactMap(\.self).min()
    }

    /// Nothing is awaited any more.
    var isSettled: Bool { inquiry.isSettled && tmux.descriptor < 0 }

    /// A frame was painted: the terminal may be asked.
    func painted(now: Duration) {
        inquiry.painted()
        proceed(now: now)
    }

    /// Whether a part of the frame has to be written again, for signs were measured on it; once.
    func takeWrittenSigns() -> Bool {
        defer { hasWrittenSigns = false }
        return hasWrittenSigns
    }

    /// The screen has this size.
    func resized(to screen: ScreenSize) {
        let pixels = descriptors.windowPixels
        guard surroundings.screen != screen || surroundings.windowPixels != pixels else { return }
        (surroundings.screen, surroundings.windowPixels) = (screen, pixels)
        inquiry.changed()
        decide()
    }

    /// The screen is about to be given back.
    func leaving() {
        inquiry.leaving()
    }

    /// The screen is given back.
    func left() {
        inquiry.left()
        if hasSwitchedClusters { _ = output.write(Array("\u{1B}[?2027l".utf8)[...]) }
        hasSwitchedClusters = false
        tmux.stop()
        (tmuxRetry, pixel) = (nil, nil)
    }

    /// Takes what the terminal sent.
    func take(_ replies: [TerminalReply], now: Duration) {
        for reply in replies { ask(inquiry.take(reply, now: now), now: now) }
        proceed(now: now)
    }

    /// The person typed.
    func typed(now: Duration) {
        inquiry.typed(now: now)
    }

    /// Does what is due.
    func proceed(now: Duration) {
        inquiry.expire(now: now)
        let due = inquiry.due(now: now, screen: surroundings.screen)
        if !due.isEmpty { asked = [] }
        ask(due, now: now)
        // A terminal that is slow to start reads it late.
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

    /// Captions are measured by grapheme clusters where the terminal can be told to do so too.
    private func switchClustersOn() {
        guard !hasSwitchedClusters, inquiry.answers.mode(.graphemeClusters) == 2 else { return }
        hasSwitchedClusters = output.write(Array("\u{1B}[?2027h".utf8)[...])
    }
}
