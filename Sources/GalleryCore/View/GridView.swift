/// The grid of pictures, or why there is none.
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
