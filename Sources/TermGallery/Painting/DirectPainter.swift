import GalleryCore

/// Writes escape sequences itself: 24-bit colour, or palette colours where ncurses' entry for
/// the terminal doesn't know them.
final class DirectPainter: Painter {
    private var encoder: FrameEncoder
    private let output: TerminalOutput

    init(output: TerminalOutput, options: FrameEncoder.Options) {
        self.output = output
        encoder = FrameEncoder(options: options)
    }

    func paint(_ frame: Frame, scroll: ScrollHint?) {
        if !output.write(encoder.encode(frame, scroll: scroll)) { encoder.invalidate() }
    }

    func invalidate() {
        encoder.invalidate()
    }
}
