import Decoders
import GalleryCore
import ImageLoading
import TerminalGraphics

/// Brings frames to the screen; one painter owns the screen for a whole session.
///
/// Lives on the UI thread.
protocol Painter: AnyObject {
    /// Shows a frame: writes what differs from the frame before. The size may differ from it,
    /// then everything is drawn.
    func paint(_ frame: Frame)
    /// The next `paint` draws every cell.
    func invalidate()
    /// The next `paint` draws these cells of a row.
    func invalidate(row: Int, columns: Range<Int>)
    /// What was sent in pixels.
    var pictures: SentPictures { get }
    /// What the painter has left to do, if it waits for something.
    var backlog: PaintBacklog { get }
    /// Whether an answer to what the painter has asked may be on its way.
    var awaitsFence: Bool { get }
    /// The terminal has answered the fence that the painter sent.
    func takeFence()
    /// What is known of the terminal; may change at any time.
    func take(_ findings: TerminalFindings)
    /// The terminal is about to be given back, maybe for a while.
    func leave()
}

/// A painter that leaves nothing to do.
extension Painter {
    var pictures: SentPictures { SentPictures() }
    var backlog: PaintBacklog { [] }
    var awaitsFence: Bool { false }
    func takeFence() {}
    func take(_ findings: TerminalFindings) {}
    func leave() {}
}

/// What a painter waits for before the screen shows all of the frame.
struct PaintBacklog: OptionSet {
    let rawValue: Int

    /// The terminal has not taken all bytes: nothing else can be painted until it has.
    ///
    /// Whoever wrote them: the terminal says so, not the painter.
    static let bytes = PaintBacklog(rawValue: 1)
    /// Pictures are ready that the last frame had no room for: paint again.
    static let pictures = PaintBacklog(rawValue: 2)
    /// Pictures wait for the screen to come to rest: paint again in a while.
    static let rest = PaintBacklog(rawValue: 4)
}

/// Writes escape sequences itself: 24-bit colour, palette colours where ncurses' entry for the
/// terminal doesn't know them, and pictures in pixels.
final class DirectPainter: Painter {
    private var encoder: FrameEncoder
    private let output: TerminalOutput
    /// Made when the first picture is to be encoded: it has threads.
    private lazy var encodings = PictureEncodingQueue(onReady: onReady)
    private let onReady: @Sendable () -> Void
    private let now: () -> ContinuousClock.Instant
    private var screen: PictureScreen?
    private var motion = ScreenMotion()
    private var flow: PictureFlow
    private var passesThroughTmux = false
    private var takesSharedMemory = false
    /// Whether only clearing the whole screen takes pictures away that are no characters.
    private var erasesByClearing = false
    /// When the terminal is to be made to draw once more.
    private var nudges: [ContinuousClock.Instant] = []
    private var pictureBytesSent = 0
    private(set) var backlog: PaintBacklog = []

    init(
        output: TerminalOutput,
        options: FrameEncoder.Options,
        flow: PictureFlow = PictureFlow(isRemote: false),
        onPictureReady: @escaping @Sendable () -> Void = {},
        now: @escaping () -> ContinuousClock.Instant = { .now }
    ) {
        self.now = now
        self.output = output
        onReady = onPictureReady
        self.flow = flow
        encoder = FrameEncoder(options: options)
    }

    var pictures: SentPictures {
        var pictures = SentPictures()
        pictures.count = screen?.heldCount ?? 0
        pictures.bytesSent = pictureBytesSent
        return pictures
    }

    func paint(_ frame: Frame) {
        backlog = []
        use(frame.graphics)
        guard screen != nil else { return write([encoder.encode(frame)]) }
        paintPictures(frame)
    }

    func invalidate() {
        encoder.invalidate()
    }

    func invalidate(row: Int, columns: Range<Int>) {
        encoder.invalidate(row: row, columns: columns)
    }

    var awaitsFence: Bool { flow.isAwaiting(now: now()) }

    func takeFence() {
        flow.take(now: now())
        if flow.room.isLineEmpty, screen != nil { encodings.wereRead() }
    }

    func take(_ findings: TerminalFindings) {
        passesThroughTmux = findings.passesThroughTmux
        takesSharedMemory = findings.takesSharedMemory
        // In Konsole spaces and erasing leave such a picture standing; what tmux redraws from its own
        // copy of the screen may have lost a picture, and shows what stood there before.
        erasesByClearing = ["konsole", "tmux"].contains { findings.name?.is($0) ?? false }
    }

    func leave() {
        // The other screen's pictures go with it; what the terminal keeps of them is taken away.
        if let bytes = screen?.forget() { _ = output.write(wrapped(bytes)[...]) }
        if screen != nil { encodings.removeAll() }
        encoder.invalidate()
    }

    /// What a picture may have so that all of it comes through tmux: a thumbnail, and no screen.
    private static let passedOnPixelLimit = 200_000

    /// Commands that tmux has to hand on.
    private func wrapped(_ commands: [UInt8]) -> [UInt8] {
        passesThroughTmux && screen?.graphics.keepsPictures == true
            ? TmuxPassThrough.wrap(commands) : commands
    }

    private func use(_ graphics: GraphicsProtocol?) {
        guard graphics != screen?.graphics else { return }
        if let bytes = screen?.forget() { _ = output.write(wrapped(bytes)[...]) }
        screen = graphics.map { PictureScreen($0) }
        // What the other way has drawn goes with the whole screen: no smaller erasing takes every
        // picture away in every terminal.
        encoder.invalidate()
    }

    private func paintPictures(_ frame: Frame) {
        guard var screen else { return }
        flow.isPassedOn = passesThroughTmux
        screen.pixelLimit = passesThroughTmux ? Self.passedOnPixelLimit : .max
        let graphics = screen.graphics
        if erasesByClearing, !graphics.keepsPictures, screen.removesPictures(toShow: frame) {
            encoder.invalidate()
        }
        let forgotten = encoder.willClear(for: frame) ? screen.forget() : []
        let isResting = motion.isResting(with: frame.images, now: now())
        var shown = frame
        let plan = screen.plan(
            &shown,
            isResting: isResting,
            room: flow.room,
            ready: { encodings.picture($0, graphics, flow.budget(forPixels: $0.size.pixelCount)) }
        )
        self.screen = screen
        encodings.usesSharedMemory.withLock { $0 = takesSharedMemory && !passesThroughTmux }
        encodings.want(
            plan.missing.map { ($0, flow.budget(forPixels: $0.size.pixelCount)) },
            graphics
        )
        encodings.wereSent(plan.sent)
        encoder.writesPlaceholders = graphics == .kittyPlaceholders
        let cells = encoder.encode(shown, allowsScrolling: plan.allowsScrolling)
        var after = wrapped(plan.after)
        if !after.isEmpty { encoder.forgetCursor() }
        let pictureBytes = plan.before.count + after.count
        pictureBytesSent += pictureBytes
        if let fence = flow.fence(after: pictureBytes, now: now()) {
            after += fence
        }
        after += nudge(changesPictures: plan.changesPlacements)
        if pictureBytes > 0 { after += encoder.cursorBytes() }
        write([wrapped(forgotten)[...], wrapped(plan.before)[...], cells, after[...]])
        if plan.isIncomplete { backlog.insert(.pictures) }
        if !isResting || !nudges.isEmpty { backlog.insert(.rest) }
    }

    /// An empty frame some moments after new placeholders: kitty 0.47 shows their pictures only when
    /// it draws the next time, which on a busy machine may be a while later.
    private func nudge(changesPictures: Bool) -> [UInt8] {
        guard screen?.graphics == .kittyPlaceholders else { return [] }
        let now = now()
        if changesPictures { nudges = Self.nudgePauses.map { now + $0 } }
        guard let due = nudges.first, due <= now else { return [] }
        nudges.removeFirst()
        return wrapped(Array("\u{1B}[?2026h\u{1B}[?2026l".utf8))
    }

    private static let nudgePauses: [Duration] = [
        .milliseconds(50), .milliseconds(300), .seconds(1), .milliseconds(2500),
    ]

    /// In one piece, so that a terminal doesn't show half of it.
    private func write(_ parts: [ArraySlice<UInt8>]) {
        let bytes = parts.count == 1 ? parts[0] : ArraySlice(parts.joined())
        guard !bytes.isEmpty else { return }
        guard !output.write(bytes) else { return }
        // It is unknown what the terminal shows.
        output.discard()
        encoder.invalidate()
    }
}
