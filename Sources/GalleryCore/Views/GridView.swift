internal import Feeds
package import TerminalUI

/// Methods that draw the gallery.
extension GalleryState {
    /// Draws the entire screen.
    ///
    /// The time required does not depend on the length of the feed.
    package func frame() -> Frame {
        var frame = Frame(size: screen, blank: theme.blank)
        frame.graphics = capabilities.graphics
        guard fits else {
            drawTooSmall(into: &frame)
            return frame
        }
        if case .help(let help)? = prompt.overlay {
            HelpView(state: self, help: help).draw(into: &frame)
        } else if isInformationPage {
            InformationView(state: self).draw(into: &frame)
        } else if isStatisticsPage {
            StatisticsView(state: self).draw(into: &frame)
        } else if isTracePage {
            TraceView(state: self).draw(into: &frame)
        } else if let detail {
            DetailView(state: self, detail: detail).draw(into: &frame)
            if panels.information != nil { InformationView(state: self).draw(into: &frame) }
        } else {
            GridView(state: self).draw(into: &frame)
            if showsLanes { LanesView(state: self).draw(into: &frame) }
            if trace.isShown { TraceView(state: self).draw(into: &frame) }
            if panels.statistics != nil { StatisticsView(state: self).draw(into: &frame) }
            if panels.information != nil { InformationView(state: self).draw(into: &frame) }
        }
        StatusBar(state: self).draw(into: &frame)
        return frame
    }

    /// Converts a string to text that the terminal can display.
    ///
    /// The result has at most `limit` columns.
    func text(_ text: some StringProtocol, limit: Int = .max) -> FrameText {
        FrameText(text, limit: max(0, limit), on: capabilities)
    }

    /// Returns a caption of at most `limit` columns.
    ///
    /// A longer caption is shortened in the middle.
    func caption(_ text: String, limit: Int) -> FrameText {
        FrameText.caption(text, limit: max(0, limit), on: capabilities)
    }

    /// Returns a symbol, or its ASCII replacement if the terminal can't display it.
    func glyph(_ sign: String, ascii: String) -> FrameText {
        text(capabilities.spelling(sign, ascii: ascii))
    }

    private func drawTooSmall(into frame: inout Frame) {
        let minimum = GridLayout.minimumScreen
        let times = capabilities.spelling("×", ascii: "x")
        let shown = text("needs \(minimum.columns)\(times)\(minimum.rows)", limit: screen.columns)
        frame.draw(
            shown,
            row: (screen.rows - 1) / 2,
            column: max(0, (screen.columns - shown.width) / 2),
            style: theme.style(.caption)
        )
    }
}

/// A view that shows the grid.
///
/// If the grid is empty, the view shows the reason.
struct GridView {
    let state: GalleryState

    func draw(into frame: inout Frame) {
        switch state.feed {
        case nil:
            PageMessage(lines: ["reading the feed…"])
                .draw(into: &frame, state: state, tone: .dim)
        case .failure(let error):
            PageMessage(lines: [error.description]).draw(into: &frame, state: state)
        case .success:
            guard state.itemCount == 0 else { break }
            let lines = state.feedCount > 0 ? state.linesWithoutMatches : state.linesWithoutPictures
            PageMessage(lines: lines)
                .draw(into: &frame, state: state)
        }
        let positions = state.visiblePositions
        for position in positions {
            guard let slot = state.pool.slot(ofItem: state.grid.order[position]) else { continue }
            CellView(
                state: state,
                slot: slot,
                rect: state.grid.layout.imageRect(at: position - positions.lowerBound),
                isSelected: position == state.grid.selection,
                hasCaption: state.grid.layout.hasCaptions,
                hasGap: state.grid.layout.hasGaps
            ).draw(into: &frame)
        }
        ScrollBarView(state: state).draw(into: &frame)
    }
}
