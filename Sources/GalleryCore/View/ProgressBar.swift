internal import ImageLoading

/// A bar that fills with a transfer; without a known length a mark that moves with its bytes.
struct ProgressBar {
    let progress: LoadProgress
    let columns: Int
    let state: GalleryState

    /// "42%  120 kB", or the bytes alone; what has arrived whole waits for a decoder.
    static func label(_ progress: LoadProgress) -> String {
        let bytes = CountText.bytes(progress.received)
        guard let fraction = progress.fraction else { return bytes }
        guard fraction < 1 else { return "decoding" }
        return "\(Int(fraction * 100))%  \(bytes)"
    }

    func draw(into frame: inout Frame, row: Int, column: Int) {
        guard columns > 0 else { return }
        for offset in 0..<columns {
            let (scalar, isDone) = cell(at: offset)
            let style = isDone ? state.theme.progressDone : state.theme.progressRest
            let text = FrameText(cleaned: [scalar.value])
            frame.draw(text, row: row, column: column + offset, style: style)
        }
    }

    private func cell(at offset: Int) -> (Unicode.Scalar, isDone: Bool) {
        let isASCII = state.capabilities.symbols == .ascii
        guard let fraction = progress.fraction else {
            // 8 KiB a step: about what a slow transfer brings between two drawings.
            let isMark = offset == (progress.received >> 13) % columns
            return isMark ? (isASCII ? "#" : "█", true) : (rest, false)
        }
        let eighths = Int(fraction * Double(columns * 8)) - offset * 8
        if eighths >= 8 { return (isASCII ? "#" : "█", true) }
        guard eighths > 0, !isASCII else { return (rest, false) }
        return (Self.partial[eighths - 1], true)
    }

    private var rest: Unicode.Scalar {
        switch (state.capabilities.symbols, state.capabilities.colorDepth) {
        case (.ascii, _): "-"
        case (_, .monochrome): "░"
        default: " "
        }
    }

    private static let partial: [Unicode.Scalar] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]
}
