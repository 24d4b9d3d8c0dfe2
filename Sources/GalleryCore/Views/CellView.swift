internal import BitCollections
internal import Feeds
internal import ImageLoading
import TerminalUI

/// A tile of the grid: an image with a caption below.
///
/// If the image is missing, text is drawn instead. Nothing is drawn over an image: the selection is
/// shown only around the image and in its caption. Tiles therefore look the same with every
/// graphics protocol, and moving the selection sends no pixels.
struct CellView {
    let state: GalleryState
    let slot: CellSlot
    /// The area of the image, without the caption below it.
    let rect: FrameRect
    var isSelected = false
    /// The theme surface on which the tile is drawn.
    ///
    /// Only the `card` surface is drawn as a background.
    var surface = Theme.Surface.card
    var hasCaption = true
    /// Whether the row above the image is free for the selection frame.
    var hasGap = false

    private var theme: Theme { state.theme }
    private var capabilities: ScreenCapabilities { state.capabilities }

    func draw(into frame: inout Frame) {
        drawCard(into: &frame)
        if let image = slot.shownImage {
            frame.draw(FrameImage(image, centeredIn: rect))
        } else {
            drawWords(into: &frame)
        }
        if hasCaption { drawCaption(into: &frame) }
        if isSelected { drawFrame(into: &frame) }
    }

    /// Draws the background of the tile.
    ///
    /// It makes the edges of dark images and empty tiles visible.
    private func drawCard(into frame: inout Frame) {
        guard surface == .card else { return }
        if theme.hasSurfaces {
            var card = rect
            if hasCaption { card.rows += 1 }
            frame.fill(card, style: theme.surface(.card))
        } else if slot.shownImage == nil {
            drawCorners(into: &frame)
        }
    }

    private func drawCorners(into frame: inout Frame) {
        let (right, bottom) = (rect.column + rect.columns - 1, rect.row + rect.rows - 1)
        let corners = [
            ("┌", rect.row, rect.column), ("┐", rect.row, right),
            ("└", bottom, rect.column), ("┘", bottom, right),
        ]
        for (corner, row, column) in corners {
            let text = state.glyph(corner, ascii: "+")
            frame.draw(text, row: row, column: column, style: theme.style(.dim, on: surface))
        }
    }

    private func drawWords(into frame: inout Frame) {
        // The corners of the card occupy the first and the last row.
        let hasTicks = surface == .card && !theme.hasSurfaces && rect.rows >= 4
        let area = rect.inset(rows: hasTicks ? 1 : 0, columns: 1)
        guard let failure = slot.load.failure?.advised(by: state.keys) else {
            let lines = (slot.folder?.lines ?? []).map { (text: $0, tone: Theme.Tone.dim) }
            return draw(Array(lines.prefix(area.rows)), in: area, into: &frame)
        }
        var lines = TileWords.lines(failure, width: area.columns, height: area.rows)
        // Advice names keys, which have no effect outside the gallery.
        if surface != .card { lines.removeAll { $0 == failure.advice } }
        let tone = failure.kind.sign.tone
        draw(
            lines.map { (text: $0, tone: $0 == failure.advice ? .dim : tone) },
            in: area,
            into: &frame
        )
    }

    /// Draws lines of text in the middle of an area.
    private func draw(
        _ lines: [(text: String, tone: Theme.Tone)],
        in area: FrameRect,
        into frame: inout Frame
    ) {
        let top = area.row + (area.rows - lines.count) / 2
        for (offset, line) in lines.enumerated() {
            let text = state.text(line.text, limit: area.columns)
            frame.draw(
                text,
                row: top + offset,
                column: area.column + (area.columns - text.width) / 2,
                style: theme.style(line.tone, on: surface)
            )
        }
    }

    // MARK: Caption

    private var captionSurface: Theme.Surface { isSelected ? .selection : surface }

    private func drawCaption(into frame: inout Frame) {
        let row = rect.row + rect.rows
        let end = rect.column + rect.columns - 1
        if isSelected {
            let line = FrameRect(row: row, column: rect.column, rows: 1, columns: rect.columns)
            frame.fill(line, style: theme.surface(.selection))
        }
        let (text, style) = slotText
        frame.draw(text, row: row, column: end - text.width, style: style)
        let badge = slot.item.map { state.choices.badge(ofItem: $0, url: slot.url) } ?? Badge()
        let badgeWidth = badge.draw(
            row: row,
            column: rect.column,
            isOnBar: isSelected,
            into: &frame,
            state: state
        )
        // One column stays free on each side of the caption, and one before the text at its right
        // end.
        let room = rect.columns - 2 - badgeWidth - (text.width > 0 ? text.width + 1 : 0)
        let caption = state.caption(mark + slot.caption, limit: room)
        frame.draw(
            caption,
            row: row,
            column: rect.column + badgeWidth + 1,
            style: theme.style(captionTone, on: captionSurface)
        )
        let start = rect.column + badgeWidth + 1
        drawMatches(in: caption, row: row, column: start, into: &frame)
    }

    /// Underlines matches of the search text in the visible part of the caption.
    private func drawMatches(
        in caption: FrameText,
        row: Int,
        column: Int,
        into frame: inout Frame
    ) {
        guard surface == .card, let needle = state.finding.search?.needle else { return }
        var style = theme.style(isSelected ? captionTone : .accent, on: captionSurface)
        style.attributes.insert(.underline)
        for span in caption.spans(
            of: state.text(needle.text),
            isCaseSensitive: needle.isCaseSensitive
        ) {
            let found = FrameText(cleaned: Array(caption.columns[span]))
            frame.draw(found, row: row, column: column + span.lowerBound, style: style)
        }
    }

    /// The symbols before the caption, which show that the cell is a folder, or that its image is
    /// new or animated.
    private var mark: String {
        // The name of a folder also ends with a slash, so no ASCII symbol is needed.
        if slot.folder != nil { return capabilities.spelling("▤ ", ascii: "") }
        let news = isNew ? capabilities.spelling("• ", ascii: "+ ") : ""
        guard slot.shown.facts.frameCount > 1, slot.cellImage != nil else { return news }
        return news + capabilities.spelling("▸ ", ascii: "> ")
    }

    private var isNew: Bool { slot.item.map { state.reading.unread.contains($0) } ?? false }

    /// The tone of the caption.
    ///
    /// It is dim if the load was cancelled or the tile shows that the image is waiting to load. The
    /// caption of a new image is strong.
    private var captionTone: Theme.Tone {
        switch slot.load {
        case .failed(let failure) where failure.kind == .cancelled: .dim
        case .asked, .queued, .waiting:
            slot.cellImage == nil && slot.saysThatItWaits ? .dim : .caption
        default: isNew ? .strong : .caption
        }
    }

    private var slotText: (FrameText, CellStyle) {
        let width = TileSlot.barWidth(inTileOf: rect.columns)
        switch TileSlot(slot, isPaused: state.loads.isPaused) {
        case .nothing: return (state.text(""), .plain)
        case .sign(let sign):
            let (symbol, ascii) = sign.spelling
            return (
                state.glyph(symbol, ascii: ascii), theme.style(sign.tone, on: captionSurface)
            )
        case .bar(let fraction):
            let bar = ProgressBar(fraction: fraction, columns: width)
            return (
                state.text(bar.text(state)),
                theme.style(.progress, on: captionSurface)
            )
        case .count(let text):
            return (state.text(text), theme.style(.dim, on: captionSurface))
        case .bytes(let count):
            let long = CountText.bytes(count)
            let short = long.replacing(" ", with: "").replacing("B", with: "")
            let text = [long, short].first { $0.count <= width } ?? "…"
            return (state.text(text, limit: width), theme.style(.dim, on: captionSurface))
        }
    }

    // MARK: Selection

    /// Draws the left, right and upper edges of the selection frame; each side is half a column
    /// wide.
    ///
    /// The caption, which has the same color, forms the lower edge.
    private func drawFrame(into frame: inout Frame) {
        let rows = rect.rows + (hasCaption ? 1 : 0)
        for row in rect.row..<rect.row + rows {
            drawSide("▐", row: row, column: rect.column - 1, into: &frame)
            drawSide("▌", row: row, column: rect.column + rect.columns, into: &frame)
        }
        guard hasGap else { return }
        let line = capabilities.spelling("▂", ascii: capabilities.spelling("▄", ascii: "_"))
        let edge = String(repeating: line, count: rect.columns)
        frame.draw(state.text(edge), row: rect.row - 1, column: rect.column, style: frameStyle)
    }

    private func drawSide(_ symbol: String, row: Int, column: Int, into frame: inout Frame) {
        let style = capabilities.shows(symbol) ? frameStyle : theme.surface(.selection)
        frame.draw(state.glyph(symbol, ascii: " "), row: row, column: column, style: style)
    }

    private var frameStyle: CellStyle { theme.frame }
}
