import Decoders
import SystemSupport

/// An object that draws frames on the screen.
///
/// Only one painter is used at a time. Use painters on the UI thread only.
protocol Painter: AnyObject {
    /// Draws a frame by writing its differences from the previous frame.
    ///
    /// If the size has changed, draws the whole frame.
    func paint(_ frame: Frame)
    /// Makes the next `paint` draw every cell.
    func invalidate()
    /// Makes the next `paint` redraw some cells of a row.
    func invalidate(row: Int, columns: Range<Int>)
    /// The number of images in the terminal, and the number of bytes sent for them.
    var pictures: SentPictures { get }
    /// The work that the painter cannot complete yet.
    var backlog: PaintBacklog { get }
    /// Whether the terminal may still reply to a fence (a status request sent after images).
    var awaitsFence: Bool { get }
    /// Handles the terminal's reply to a fence.
    func takeFence()
    /// Updates the detected capabilities of the terminal, which may change at any time.
    func take(_ detected: TerminalCapabilities)
    /// Cleans up before the program leaves the terminal, possibly only temporarily.
    func leave()
}

/// Defaults for a painter that never has unfinished work.
extension Painter {
    package var pictures: SentPictures { SentPictures() }
    package var backlog: PaintBacklog { [] }
    var awaitsFence: Bool { false }
    func takeFence() {}
    package func take(_ detected: TerminalCapabilities) {}
    package func leave() {}
}

/// The reasons why the screen does not show the whole frame yet.
package struct PaintBacklog: OptionSet {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The terminal has not accepted all bytes; nothing can be painted until it does.
    ///
    /// The bytes may have been written by any component. This state is reported by `Terminal`, not
    /// by the painter.
    package static let bytes = PaintBacklog(rawValue: 1)
    /// Encoded images did not fit into the last frame; another frame must be painted.
    package static let pictures = PaintBacklog(rawValue: 2)
    /// Images are held back until scrolling stops; another frame must be painted after a pause.
    package static let rest = PaintBacklog(rawValue: 4)
}

/// A painter that writes escape sequences without ncurses.
///
/// It supports 24-bit colors, images as pixels, and palette colors that are missing from the
/// terminal's terminfo entry.
final class DirectPainter: Painter {
    private var encoder: FrameEncoder
    private let output: TerminalOutput
    private lazy var encodings = PictureEncodingQueue(onReady: onReady)
    private let onReady: @Sendable () -> Void
    private let now: () -> ContinuousClock.Instant
    private var screen: PictureScreen?
    private var motion = ScreenMotion()
    private var flow: PictureFlow
    private var passesThroughTmux = false
    private var takesSharedMemory = false
    /// Whether images can be removed only by clearing the whole screen.
    ///
    /// This does not apply to images placed as characters.
    private var erasesByClearing = false
    private var isInTmux = false
    /// The times at which to send an empty frame to make the terminal redraw.
    private var nudges: [ContinuousClock.Instant] = []
    private var pictureBytesSent = 0
    package private(set) var backlog: PaintBacklog = []

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

    package var pictures: SentPictures {
        var pictures = SentPictures()
        pictures.count = screen?.heldCount ?? 0
        pictures.bytesSent = pictureBytesSent
        return pictures
    }

    package func paint(_ frame: Frame) {
        backlog = []
        use(frame.graphics)
        guard screen != nil else { return write([encoder.encode(frame)]) }
        paintPictures(frame)
    }

    package func invalidate() {
        encoder.invalidate()
    }

    package func invalidate(row: Int, columns: Range<Int>) {
        encoder.invalidate(row: row, columns: columns)
    }

    var awaitsFence: Bool { flow.isAwaiting(now: now()) }

    func takeFence() {
        flow.take(now: now())
        if flow.room.isLineEmpty, screen != nil { encodings.wereRead() }
    }

    package func take(_ detected: TerminalCapabilities) {
        passesThroughTmux = detected.passesThroughTmux
        takesSharedMemory = detected.takesSharedMemory
        // In Konsole, spaces and erase sequences don't remove such an image. tmux redraws from its
        // own copy of the screen, so the image may be lost and the cells may show their earlier
        // content.
        isInTmux = detected.name?.is("tmux") ?? false
        erasesByClearing = isInTmux || detected.name?.is("konsole") ?? false
    }

    package func leave() {
        // Images on the alternate screen disappear with it. Images that the terminal keeps in
        // memory are deleted.
        if let bytes = screen?.forget() { _ = output.write(wrapped(bytes)[...]) }
        if screen != nil { encodings.removeAll() }
        encoder.invalidate()
    }

    /// Returns `commands`, wrapped if tmux must pass them through to the terminal.
    private func wrapped(_ commands: [UInt8]) -> [UInt8] {
        passesThroughTmux && screen?.graphics.keepsPictures == true
            ? TmuxPassThrough.wrap(commands) : commands
    }

    private func use(_ graphics: GraphicsProtocol?) {
        guard graphics != screen?.graphics else { return }
        if let bytes = screen?.forget() { _ = output.write(wrapped(bytes)[...]) }
        screen = graphics.map { PictureScreen($0) }
        // The next frame clears the whole screen to remove what the previous protocol drew. No
        // smaller erase sequence removes every image in every terminal.
        encoder.invalidate()
    }

    private func paintPictures(_ frame: Frame) {
        guard var screen else { return }
        flow.isPassedOn = passesThroughTmux
        encodings.pixelLimit.withLock { $0 = flow.pixelLimit }
        let graphics = screen.graphics
        if erasesByClearing, !graphics.keepsPictures, screen.removesPictures(toShow: frame) {
            encoder.invalidate()
        }
        let lost = screen.forget(flow.takeLost(now: now()))
        let forgotten = lost + (encoder.willClear(for: frame) ? screen.forget() : [])
        let isResting = motion.isResting(with: frame.images, now: now())
        var shown = frame
        let plan = screen.plan(
            &shown,
            isResting: isResting,
            room: flow.room,
            ready: {
                encodings.picture(
                    $0,
                    graphics: graphics,
                    budget: flow.budget(forPixels: $0.size.pixelCount)
                )
            },
            refinement: refinement(for: graphics)
        )
        self.screen = screen
        encodings.usesSharedMemory.withLock { $0 = takesSharedMemory && !passesThroughTmux }
        let unfinished = plan.unfinished.flatMap { image in
            flow.finalBudget(forPixels: image.size.pixelCount).map { (image, $0) }
        }
        encodings.want(
            plan.missing.map { ($0, flow.budget(forPixels: $0.size.pixelCount)) }
                + [unfinished].compactMap(\.self),
            graphics
        )
        encodings.wereSent(plan.sent)
        encoder.writesPlaceholders = graphics == .kittyPlaceholders
        // After a synchronized output, tmux 3.8 writes each changed row again, including the cells
        // under its sixel images, and does not draw the images again.
        encoder.synchronizesChanges = !isInTmux || graphics.keepsPictures
        let cells = encoder.encode(shown, allowsScrolling: plan.allowsScrolling)
        var after = wrapped(plan.after)
        if !after.isEmpty { encoder.forgetCursor() }
        let pictureBytes = plan.before.count + after.count
        pictureBytesSent += pictureBytes
        if let fence = flow.fence(after: pictureBytes, of: plan.sent, now: now()) {
            after += wrapped(fence)
        }
        after += nudge(changesPictures: plan.changesPlacements)
        if pictureBytes > 0 { after += encoder.cursorBytes() }
        write([wrapped(forgotten)[...], wrapped(plan.before)[...], cells, after[...]])
        if plan.isIncomplete, !flow.isHeld { backlog.insert(.pictures) }
        // If there is no reply, the images must be sent again.
        if passesThroughTmux, awaitsFence { backlog.insert(.rest) }
        if !isResting || !nudges.isEmpty || plan.hasUnfinished { backlog.insert(.rest) }
    }

    /// Returns closures for resending images in full resolution, or nil if images are sent only
    /// once.
    private func refinement(for graphics: GraphicsProtocol) -> PictureScreen.Refinement? {
        guard flow.finalBudget(forPixels: 1) != nil else { return nil }
        let (flow, encodings) = (flow, encodings)
        return PictureScreen.Refinement(
            isUseful: { flow.finalBudget(forPixels: $0.size.pixelCount) != nil },
            ready: { image in
                flow.finalBudget(forPixels: image.size.pixelCount).flatMap {
                    encodings.picture(image, graphics: graphics, budget: $0)
                }
            }
        )
    }

    /// Returns the bytes of an empty frame if one is due, or no bytes otherwise.
    ///
    /// After new placeholders, empty frames are sent at the times in `nudgePauses`. kitty 0.47
    /// shows the images of new placeholders only when it redraws the screen, which may take a while
    /// on a busy machine.
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

    /// Writes all parts at once, so the terminal never shows only some of them.
    private func write(_ parts: [ArraySlice<UInt8>]) {
        let bytes = parts.count == 1 ? parts[0] : ArraySlice(parts.joined())
        guard !bytes.isEmpty else { return }
        guard !output.write(bytes) else { return }
        // The content of the screen is now unknown.
        output.discard()
        encoder.invalidate()
    }
}
