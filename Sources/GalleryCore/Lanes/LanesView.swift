internal import Feeds
internal import ImageLoading
import TerminalUI

/// A view that shows the lanes below the grid: the bytes that were not downloaded, the waiting
/// loads, and a lane for each transfer slot.
struct LanesView {
    let state: GalleryState

    private var transfers: TransferLanes { state.lanes.transfers }
    private var area: LaneArea {
        LaneArea(
            on: state.screen,
            columns: state.panels.column ?? state.screen.columns,
            slots: transfers.lanes.count
        )
    }

    func draw(into frame: inout Frame) {
        let area = area
        frame.fill(area.rect, style: state.theme.surface(.card))
        if area.textRows == 0 {
            drawOneRow(area, into: &frame)
        } else {
            drawTexts(area, into: &frame)
            var prefetched = state.statistics.prefetchTransfers[...]
            for lane in 0..<min(area.laneCount, transfers.lanes.count) {
                let place = area.place(ofLane: lane)
                if transfers.lanes[lane].isEmpty, let transfer = prefetched.popFirst() {
                    draw(transfer, in: place, into: &frame)
                } else {
                    draw(transfers.lanes[lane], in: place, into: &frame)
                }
            }
        }
        drawFlash(area, into: &frame)
    }

    private func style(_ tone: Theme.Tone, isBold: Bool = false) -> CellStyle {
        var style = state.theme.style(tone, on: .card)
        if isBold { style.attributes.insert(.bold) }
        return style
    }

    // MARK: Text

    private func drawTexts(_ area: LaneArea, into frame: inout Frame) {
        let texts = LaneTexts(state: state)
        let queue = state.text(texts.queue(visibleLanes: area.laneCount))
        let (row, columns) = (area.rect.row, area.textColumns)
        let end = columns.upperBound - queue.width
        frame.draw(queue, row: row, column: end, style: style(.caption))
        let room = columns.count - queue.width - (queue.width > 0 ? 2 : 0)
        let lines = texts.lines(count: area.textRows, columns: room)
        for (offset, line) in lines.enumerated() {
            let limit = offset == 0 ? room : columns.count
            let isBold = offset == 0 && line.tone == .strong
            frame.draw(
                state.text(line.text, limit: limit),
                row: row + offset,
                column: columns.lowerBound,
                style: style(line.tone, isBold: isBold)
            )
        }
    }

    /// The maximum number of lanes that are drawn as symbols.
    private static let mostSigns = 8

    /// Draws each lane as a one-column symbol, followed by the text.
    private func drawOneRow(_ area: LaneArea, into frame: inout Frame) {
        let texts = LaneTexts(state: state)
        let (row, columns) = (area.rect.row, area.textColumns)
        var column = columns.lowerBound
        for lane in transfers.lanes.prefix(Self.mostSigns) {
            let isBroken = lane.shownBreak != nil
            let isEmpty = lane.load == nil && !isBroken
            column = frame.draw(
                state.text(texts.sign(of: lane)),
                row: row,
                column: column,
                style: style(isEmpty ? .dim : .caption, isBold: isBroken)
            )
        }
        let end = state.text(texts.flash ?? texts.queue(visibleLanes: Self.mostSigns))
        frame.draw(end, row: row, column: columns.upperBound - end.width, style: style(.caption))
        let room = columns.upperBound - column - end.width - (end.width > 0 ? 4 : 2)
        guard let line = texts.lines(count: 1, columns: room).first else { return }
        let text = state.text(line.text, limit: room)
        let isBold = line.tone == .strong
        frame.draw(text, row: row, column: column + 2, style: style(line.tone, isBold: isBold))
    }

    // MARK: Lanes

    /// The width in columns of a formatted number of bytes such as "143 kB".
    private static let bytesWidth = 6

    private func draw(_ lane: TransferLanes.Lane, in place: FrameRect, into frame: inout Frame) {
        if let broken = lane.shownBreak {
            draw(broken, in: place, into: &frame)
        } else if let load = lane.load {
            draw(load.caption, load.progress, in: place, into: &frame)
        } else {
            let sign = state.glyph("·", ascii: ".")
            frame.draw(sign, row: place.row, column: place.column, style: style(.dim))
        }
    }

    /// Draws the transfer of an image that is not visible yet.
    private func draw(
        _ transfer: PrefetchTransfer,
        in place: FrameRect,
        into frame: inout Frame
    ) {
        let arrow = state.capabilities.spelling("↓", ascii: ">")
        let caption = state.currentFeed.flatMap { feed in
            (0..<feed.count).contains(transfer.item) ? feed[transfer.item].caption : nil
        }
        let text = "\(arrow) \(caption ?? "")"
        draw(text, transfer.progress, tone: .dim, in: place, into: &frame)
    }

    private func draw(
        _ text: String,
        _ progress: LoadProgress,
        tone: Theme.Tone = .caption,
        in place: FrameRect,
        into frame: inout Frame
    ) {
        let end = place.column + place.columns
        if progress.received > 0 {
            let bytes = state.text(CountText.bytes(progress.received))
            frame.draw(bytes, row: place.row, column: end - bytes.width, style: style(tone))
        }
        let barWidth = place.columns >= 34 ? 8 : 4
        let barColumn = end - Self.bytesWidth - 1 - barWidth
        if let fraction = progress.fraction ?? (progress.received == 0 ? 0 : nil) {
            let bar = ProgressBar(fraction: fraction, columns: barWidth)
            let text = state.text(bar.text(state))
            frame.draw(text, row: place.row, column: barColumn, style: style(.progress))
        }
        let caption = state.caption(text, limit: barColumn - 1 - place.column)
        frame.draw(caption, row: place.row, column: place.column, style: style(tone))
    }

    /// Draws a cancelled load, which is dimmed before it disappears.
    private func draw(
        _ broken: TransferLanes.CancelledLoad,
        in place: FrameRect,
        into frame: inout Frame
    ) {
        let style = style(broken.isFresh ? .strong : .dim, isBold: broken.isFresh)
        let texts = LaneTexts(state: state)
        let saved = state.text(texts.saved(by: broken))
        let end = place.column + place.columns
        frame.draw(saved, row: place.row, column: end - saved.width, style: style)
        let sign = state.text(texts.scissors + " ")
        let column = frame.draw(sign, row: place.row, column: place.column, style: style)
        let room = end - column - (saved.width > 0 ? saved.width + 1 : 0)
        let caption = state.caption(broken.caption, limit: room)
        frame.draw(caption, row: place.row, column: column, style: style)
    }

    // MARK: Edges

    /// Draws the number of cancelled loads at the edge of the grid where their cells left the
    /// screen.
    ///
    /// The text is drawn next to the images, and never covers an image or the selection frame.
    private func drawFlash(_ area: LaneArea, into frame: inout Frame) {
        guard let flash = state.lanes.flash, let text = LaneTexts(state: state).flash else {
            return
        }
        let layout = state.grid.layout
        let isFresh = flash.age < TransferLanes.visibleTicks / 2
        var style = state.theme.style(isFresh ? .strong : .dim, on: .ground)
        if isFresh { style.attributes.insert(.bold) }
        let shown = state.text(text)
        let last = layout.imageRect(at: layout.columns - 1)
        let row: Int
        var column = last.column + last.columns - shown.width
        switch flash.edge {
        case .top:
            guard layout.hasGaps else { return }
            row = last.row - 1
            // The frame of a selected image occupies this row.
            let selected = state.grid.selection - state.visiblePositions.lowerBound
            if selected == layout.columns - 1, layout.columns > 1 {
                column = layout.imageRect(at: 0).column
            }
        case .bottom:
            row = layout.firstFreeRow
            guard row < area.rect.row else { return }
        }
        frame.draw(shown, row: row, column: max(0, column), style: style)
    }
}
