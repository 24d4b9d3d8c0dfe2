import Glibc
import SystemSupport

/// The implementation of `Terminal` for a real terminal.
///
/// ncurses manages the session, and one of the two painters draws the screen. Use this class on the
/// UI thread only. Only one instance may exist in a process.
package final class CursesTerminal: Terminal {
    /// The decisions about colors, symbols and the painter, and the reasons for them.
    package let profile: ScreenProfile
    package private(set) var size: ScreenSize

    private let descriptors: TerminalDescriptors
    private let session: CursesSession
    private var painter: any Painter
    private let output: TerminalOutput
    private let isASCIIOnly: Bool
    private let onPictureReady: @Sendable () -> Void
    /// The detector that queries the terminal and stores its capabilities.
    package let detector: TerminalDetector
    private let switches: TerminalSwitches
    private let modesBefore: termios
    private let errors: ErrorCapture?
    private var decoder = InputDecoder()
    private var isRestored = false
    private let clock = ContinuousClock()
    private let start = ContinuousClock.now

    package var capabilities: ScreenCapabilities { profile.capabilities(with: detected) }
    package var inputDescriptor: Int32 { descriptors.input }
    package private(set) var hasBufferedInput = false
    package var detected: TerminalCapabilities { detector.detected }
    package var answerDescriptor: Int32 { detector.descriptor }
    private var now: Duration { start.duration(to: clock.now) }

    /// Takes over the terminal.
    ///
    /// When more of the frame can be painted, `onPictureReady` is called on another thread. Throws
    /// an error, without having changed anything, if there is no terminal or the terminal cannot
    /// show the gallery.
    package init(
        descriptors: TerminalDescriptors,
        overrides: ScreenOverrides = ScreenOverrides(),
        crashReport: CrashReport = CrashReport(),
        onPictureReady: @escaping @Sendable () -> Void = {}
    ) throws(TerminalError) {
        let environment = TerminalEnvironment.adopted(LC_ALL)
        let entry = try TerminfoChoice.entry(for: environment.term, load: TerminfoEntry.load)
        profile = ScreenProfile(
            environment: environment,
            terminfoColors: entry.colorCount,
            overrides: overrides
        )
        guard let modes = descriptors.modes else { throw .notATerminal }
        modesBefore = modes
        isASCIIOnly = !environment.isUTF8 && profile.capabilities.symbols == .ascii
        // ncurses outputs the requested half blocks only in a UTF-8 locale.
        if !environment.isUTF8, !isASCIIOnly { setlocale(LC_CTYPE, "C.UTF-8") }
        session = try CursesSession(
            entry: entry.name,
            input: descriptors.input,
            output: descriptors.output
        )
        switches = TerminalSwitches(session: session, hasMouse: entry.hasMouse)
        output = TerminalOutput(descriptor: descriptors.frameOutput)
        self.onPictureReady = onPictureReady
        painter =
            switch profile.painter {
            case .curses:
                CursesPainter(
                    session: session,
                    usesColor: profile.capabilities.colorDepth != .monochrome,
                    isASCIIOnly: isASCIIOnly
                )
            case .direct:
                Self.directPainter(output, isASCIIOnly: isASCIIOnly, onPictureReady: onPictureReady)
            }
        detector = TerminalDetector(
            environment,
            profile: profile,
            pixels: overrides.pixels,
            descriptors: descriptors,
            output: output
        )
        errors = ErrorCapture()
        self.descriptors = descriptors
        size = ScreenSize(columns: 80, rows: 24)
        CrashGuard.arm(
            terminal: descriptors.output,
            modes: modes,
            text: switches.emergency,
            report: crashReport,
            errors: errors
        )
        enter()
    }

    deinit {
        restore()
    }

    private static func directPainter(
        _ output: TerminalOutput,
        isASCIIOnly: Bool,
        onPictureReady: @escaping @Sendable () -> Void
    ) -> DirectPainter {
        DirectPainter(
            output: output,
            options: FrameEncoder.Options(isASCIIOnly: isASCIIOnly),
            flow: PictureFlow(isRemote: getenv("SSH_CONNECTION") != nil),
            onPictureReady: onPictureReady
        )
    }

    // MARK: Input

    package func readInput() -> InputBatch {
        let state = descriptors.inputState
        let now = now
        guard hasBufferedInput || state == .ready else {
            detector.proceed(now: now)
            return InputBatch(events: decoder.expire(now: now), isClosed: state == .closed)
        }
        let batch = InputBatch(events: readKeys(now: now))
        let replies = decoder.takeReplies()
        for reply in replies where reply == .sequence("0n") { painter.takeFence() }
        if !batch.events.isEmpty { detector.typed(now: now) }
        detector.take(replies, now: now)
        return batch
    }

    package var inputTimeout: Duration? {
        let deadlines = [decoder.deadline, detector.deadline].compactMap(\.self)
        return deadlines.min().map { max(.zero, $0 - now) }
    }

    private func readKeys(now: Duration) -> [InputEvent] {
        var events: [InputEvent] = []
        decoder.expectsReplies = detector.rounds.isAwaiting(now: now) || painter.awaitsFence
        for _ in 0..<Self.longestBatch {
            guard let key = session.readKey() else {
                hasBufferedInput = false
                return events + decoder.endOfReading()
            }
            events += decoder.take(key, now: now)
        }
        hasBufferedInput = true
        return events
    }

    /// The maximum number of keys in a batch.
    ///
    /// Without a limit, pasted text or endless replies would prevent drawing.
    private static let longestBatch = 1024

    /// The minimum time to wait for replies to status requests after images before leaving the
    /// terminal.
    private static let farewell = Duration.milliseconds(300)

    /// Waits for replies that have not arrived yet, because the shell would otherwise receive them
    /// as input.
    ///
    /// Any input that the user types during the wait is lost.
    private func awaitLastAnswers() {
        detector.leaving()
        let end = now + detector.rounds.pauseOfLine(atLeast: Self.farewell)
        while let rest = detector.rounds.farewell(now: now)
            ?? (painter.awaitsFence && now < end ? end - now : nil)
        {
            var source = pollfd(fd: descriptors.input, events: Int16(POLLIN), revents: 0)
            guard hasBufferedInput || poll(&source, 1, rest.pollMilliseconds) > 0,
                !readInput().isClosed
            else { return }
        }
    }

    // MARK: Screen

    package func refreshSize() {
        let (columns, rows) = descriptors.windowSize ?? (80, 24)
        size = ScreenSize(columns: columns, rows: rows)
        session.resize(to: size)
        detector.resized(to: size)
    }

    package func paint(_ frame: Frame) {
        // Pending bytes are written first, regardless of which component wrote them. The event loop
        // draws again after they have been written.
        guard output.isIdle else { return }
        usePainter(for: frame)
        painter.paint(frame)
        // Queries are sent after the frame, so a terminal that replies slowly or not at all doesn't
        // delay the frame.
        detector.painted(now: now)
        guard detector.takeWrittenSigns() else { return }
        painter.invalidate(
            row: TerminalQuery.measuredRow,
            columns: 0..<TerminalQuery.measuredColumns
        )
        if output.isIdle { painter.paint(frame) }
    }

    /// Selects the painter for a frame.
    ///
    /// Two painters cannot share a screen. After the gallery has switched to the direct painter, it
    /// never returns to ncurses.
    private func usePainter(for frame: Frame) {
        let isEnough = frame.graphics == nil && !profile.paintsDirectly(detected)
        if painter is CursesPainter, !isEnough {
            painter = Self.directPainter(
                output,
                isASCIIOnly: isASCIIOnly,
                onPictureReady: onPictureReady
            )
        }
        painter.take(detected)
    }

    package var pictures: SentPictures { painter.pictures }

    /// The unfinished work of the painter, and the bytes pending in the output.
    ///
    /// The pending bytes may also be from queries or clipboard text, which the painter does not
    /// write. Like the bytes of a frame, they may be discarded in the middle of a sequence.
    package var backlog: PaintBacklog {
        output.isIdle ? painter.backlog : painter.backlog.union(.bytes)
    }

    package var outputDescriptor: Int32 { output.descriptor }

    package func flush() {
        guard !output.flush() else { return }
        // The content of the screen is now unknown.
        output.discard()
        painter.invalidate()
    }

    package func invalidate() {
        painter.invalidate()
    }

    // MARK: Entering and leaving

    package func dropInput() {
        session.dropInput()
        hasBufferedInput = false
    }

    package func suspend() {
        guard !isRestored else { return }
        leave()
        SignalInbox.stop()
        enter()
        painter.invalidate()
    }

    package func handOver(_ body: (_ input: Int32, _ output: Int32) -> Void) {
        guard !isRestored else { return }
        leave()
        body(descriptors.input, descriptors.output)
        enter()
        painter.invalidate()
    }

    package func copy(_ text: String) {
        _ = output.write(Clipboard.sequence(text)[...])
    }

    package func resume() {
        guard !isRestored else { return }
        detector.left()
        // The program leaves the screen first because ncurses restores the modes and the screen
        // only after `endwin`.
        session.leave()
        enter()
        painter.invalidate()
    }

    package func restore() {
        guard !isRestored else { return }
        isRestored = true
        leave()
        session.end()
        descriptors.setModes(modesBefore)
        CrashGuard.disarm()
        errors?.finish()
    }

    private func enter() {
        session.refresh()
        descriptors.setOwnModes()
        session.keepModes()
        _ = OutputBytes.write(Array(switches.on.utf8), to: descriptors.output)
        refreshSize()
    }

    private func leave() {
        awaitLastAnswers()
        // Bytes that the terminal has not accepted are discarded. Any truncated sequence is ended
        // below.
        output.discard()
        detector.left()
        painter.leave()
        output.discard()
        _ = OutputBytes.write(Array(switches.off.utf8), to: descriptors.output)
        session.leave()
    }
}
