internal import Decoders
internal import Feeds
internal import ImageLoading
import TerminalUI

/// A view that shows one image on the entire screen.
struct DetailView {
    let state: GalleryState
    let detail: DetailState

    func draw(into frame: inout Frame) {
        let cells = detail.cellImage ?? thumbnail
        if let failure = detail.load.failure?.advised(by: state.keys),
            cells == nil || !detail.load.isPending
        {
            PageMessage(lines: [failure.reason] + (failure.advice.map { [$0] } ?? []))
                .draw(
                    into: &frame,
                    state: state,
                    tone: failure.kind.sign.tone,
                    columns: state.panels.columnsForImage(on: state.screen)
                )
        } else if let cells {
            frame.draw(FrameImage(cells, centeredIn: state.detailRect))
        }
    }

    /// The thumbnail from the grid, which is shown until a better image is available.
    private var thumbnail: CellImage? { state.pool.slot(ofItem: detail.item)?.cellImage }
}

/// A short message in the middle of a screen that is otherwise empty.
///
/// The first line states the problem, and the other lines suggest what the user can do.
struct PageMessage {
    let lines: [String]

    /// Draws the message in the middle of the screen.
    ///
    /// If `columns` is not nil, only the first `columns` columns of the screen are used.
    func draw(
        into frame: inout Frame,
        state: GalleryState,
        tone: Theme.Tone = .caption,
        columns: Int? = nil
    ) {
        let columns = columns ?? state.screen.columns
        let width = max(1, min(columns - 2, 60))
        let texts = lines.enumerated().flatMap { index, line in
            WrappedText.lines(state.text(line), width: width, limit: 6).map { (index, $0) }
        }
        let top = max(0, (state.screen.rows - 1 - texts.count) / 2)
        for (offset, (index, text)) in texts.enumerated() {
            frame.draw(
                text,
                row: top + offset,
                column: max(0, (columns - text.width) / 2),
                style: state.theme.style(index == 0 ? tone : .dim)
            )
        }
    }
}
