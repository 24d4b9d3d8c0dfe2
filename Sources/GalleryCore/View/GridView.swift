/// The gallery as a screen of cells.
extension GalleryState {
    /// Draws everything; costs the same for any length of feed.
    public func frame() -> Frame {
        var frame = Frame(size: screen)
        frame.graphics = capabilities.graphics
        guard fits else {
            drawTooSmall(into: &frame)
            return frame
        }
        if let detail {
            DetailView(state: self, detail: detail).draw(into: &frame)
        } else {
            GridView(state: self).draw(into: &frame)
        }
        StatusBar(state: self).draw(into: &frame)
        if showsStatistics { StatisticsView(state: self).draw(into: &frame) }
        if case .help(let scroll)? = overlay {
            HelpView(state: self, scroll: scroll).draw(into: &frame)
        }
        return frame
    }

    /// Text in the gallery's symbols.
    func text(_ text: some StringProtocol, limit: Int = .max) -> FrameText {
        FrameText(
            text,
            limit: max(0, limit),
            symbols: capabilities.symbols,
            graphemeClusters: capabilities.graphemeClusters
        )
    }

    /// One of two spellings, as the terminal's symbols allow.
    func glyph(_ symbol: String, ascii: String) -> FrameText {
        text(capabilities.symbols == .ascii ? ascii : symbol)
    }

    private func drawTooSmall(into frame: inout Frame) {
        let minimum = GridLayout.minimumScreen
        let lines = ["window too small", "needs \(minimum.columns)x\(minimum.rows)"]
        let top = max(0, (screen.rows - lines.count) / 2)
        for (offset, line) in lines.enumerated() {
            let shown = text(line, limit: screen.columns)
            frame.draw(
                shown,
                row: top + offset,
                column: max(0, (screen.columns - shown.width) / 2),
                style: .plain
            )
        }
    }
}

/// The grid of images, or why there is none.
struct GridView {
    let state: GalleryState

    func draw(into frame: inout Frame) {
        switch state.feed {
        case nil: drawMessage("reading the feed…", into: &frame)
        case .failure(let error): drawMessage(error.description, into: &frame)
        case .success:
            if state.itemCount == 0 { drawMessage("no pictures here", into: &frame) }
        }
        let items = state.visibleItems
        for item in items {
            guard let slot = state.pool.slot(ofItem: item) else { continue }
            let rect = state.layout.rect(at: item - items.lowerBound)
            CellView(
                state: state,
                slot: slot,
                rect: rect,
                isSelected: item == state.selection
            ).draw(into: &frame)
        }
    }

    private func drawMessage(_ message: String, into frame: inout Frame) {
        let width = min(state.screen.columns - 2, 60)
        let lines = WrappedText.lines(state.text(message), width: width, limit: 6)
        let top = max(0, (state.screen.rows - 1 - lines.count) / 2)
        for (offset, line) in lines.enumerated() {
            let column = max(0, (state.screen.columns - line.width) / 2)
            frame.draw(line, row: top + offset, column: column, style: .plain)
        }
    }
}
