internal import ImageLoading

/// One cell of the grid: image or state above, caption below.
struct CellView {
    let state: GalleryState
    let slot: CellSlot
    let rect: FrameRect
    let isSelected: Bool

    private var theme: Theme { state.theme }
    private var imageRect: FrameRect {
        FrameRect(
            row: rect.row,
            column: rect.column,
            rows: rect.rows - 1,
            columns: rect.columns
        )
    }

    func draw(into frame: inout Frame) {
        drawImage(into: &frame)
        switch slot.load {
        case .asked: if slot.cellImage == nil { drawLine("·", ascii: ".", into: &frame) }
        case .queued: if slot.cellImage == nil { drawLine("queued", ascii: "queued", into: &frame) }
        case .loading(let progress):
            if !slot.isRefreshed { drawProgress(progress, into: &frame) }
        case .loaded: if slot.cellImage == nil { drawLine("empty", ascii: "empty", into: &frame) }
        case .failed(let reason): drawFailure(reason, into: &frame)
        }
        drawCaption(into: &frame)
    }

    private func drawImage(into frame: inout Frame) {
        guard let cellImage = slot.cellImage else { return }
        // An odd row goes above: the caption stays close to its image.
        var image = FrameImage(cellImage, centeredIn: imageRect, isDimmed: slot.isStale)
        image.rect.row += (imageRect.rows - image.rect.rows) % 2
        frame.draw(image)
    }

    private func drawLine(_ symbol: String, ascii: String, into frame: inout Frame) {
        let text = state.glyph(symbol, ascii: ascii)
        let place = imageRect.centered(rows: 1, columns: text.width)
        frame.draw(text, row: place.row, column: place.column, style: theme.quiet)
    }

    private func drawProgress(_ progress: LoadProgress, into frame: inout Frame) {
        guard slot.cellImage == nil else { return drawProgressBelow(progress, into: &frame) }
        let place = imageRect.inset(rows: 0, columns: imageRect.columns > 12 ? 2 : 0)
            .centered(rows: imageRect.rows > 3 ? 2 : 1, columns: 24)
        ProgressBar(progress: progress, columns: place.columns, state: state)
            .draw(into: &frame, row: place.row, column: place.column)
        guard place.rows > 1 else { return }
        let text = state.text(ProgressBar.label(progress), limit: place.columns)
        let column = place.column + (place.columns - text.width) / 2
        frame.draw(text, row: place.row + 1, column: column, style: theme.quiet)
    }

    /// On the last row, so that the image can be seen.
    private func drawProgressBelow(_ progress: LoadProgress, into frame: inout Frame) {
        let place = imageRect.centered(rows: 1, columns: min(24, imageRect.columns))
        ProgressBar(progress: progress, columns: place.columns, state: state)
            .draw(into: &frame, row: imageRect.row + imageRect.rows - 1, column: place.column)
    }

    private func drawFailure(_ reason: String, into frame: inout Frame) {
        let mark = state.glyph("✗", ascii: "x")
        let width = max(1, imageRect.columns - 2)
        let lines = WrappedText.lines(
            state.text(reason),
            width: width,
            limit: max(1, imageRect.rows - 1)
        )
        let top = imageRect.row + max(0, (imageRect.rows - lines.count - 1) / 2)
        let column = imageRect.column + imageRect.columns / 2
        frame.draw(mark, row: top, column: column, style: theme.failure)
        for (offset, line) in lines.enumerated() {
            let column = imageRect.column + (imageRect.columns - line.width) / 2
            frame.draw(line, row: top + 1 + offset, column: column, style: theme.quiet)
        }
    }

    private func drawCaption(into frame: inout Frame) {
        let row = rect.row + rect.rows - 1
        let line = FrameRect(row: row, column: rect.column, rows: 1, columns: rect.columns)
        if isSelected { drawSelection(line, into: &frame) }
        let style = isSelected ? theme.selectedCaption : theme.caption
        frame.draw(
            mark,
            row: row,
            column: rect.column,
            style: isSelected ? style : slot.hasFailed ? theme.failure : theme.sourceMark
        )
        let text = state.text(slot.caption, limit: rect.columns - 2)
        frame.draw(text, row: row, column: rect.column + 2, style: style)
    }

    private func drawSelection(_ line: FrameRect, into frame: inout Frame) {
        frame.fill(line, style: theme.selectedCaption)
        let bar = state.glyph("▐", ascii: "|")
        for row in rect.row..<rect.row + rect.rows {
            frame.draw(bar, row: row, column: rect.column - 1, style: theme.selectionMark)
        }
    }

    private var mark: FrameText {
        switch slot.load {
        case .asked, .queued, .loading:
            slot.isRefreshed ? state.glyph("…", ascii: "~") : state.text(" ")
        case .loaded(let source): state.glyph(source.symbol, ascii: source.asciiSymbol)
        case .failed: state.glyph("✗", ascii: "x")
        }
    }
}

extension ImageSource {
    /// The mark of an image that came from here.
    var symbol: String {
        switch self {
        case .memory: "●"
        case .disk: "■"
        case .network: "↓"
        }
    }

    /// The mark in ASCII.
    var asciiSymbol: String {
        switch self {
        case .memory: "m"
        case .disk: "d"
        case .network: "n"
        }
    }
}

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
        if state.capabilities.symbols == .ascii { return "-" }
        return state.capabilities.colorDepth == .monochrome ? "░" : " "
    }

    private static let partial: [Unicode.Scalar] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]
}
