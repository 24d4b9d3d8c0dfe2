internal import Decoders
internal import ImageLoading

/// One image on the whole screen, with a line about it.
struct DetailView {
    let state: GalleryState
    let detail: DetailState

    private var box: FrameRect {
        let size = state.detailBox
        return FrameRect(row: 0, column: 0, rows: size.rows, columns: size.columns)
    }

    func draw(into frame: inout Frame) {
        if let cells = detail.cellImage {
            frame.draw(FrameImage(cells, centeredIn: box, isDimmed: detail.isDimmed))
        } else if detail.load.isPending,
            let thumbnail = state.pool.slot(ofItem: detail.item)?.cellImage
        {
            // The grid's small image, until there is something better.
            frame.draw(FrameImage(thumbnail, centeredIn: box, isDimmed: true))
        }
        switch detail.load {
        case .loading(let progress): drawProgress(progress, into: &frame)
        case .failed(let reason): drawFailure(reason, into: &frame)
        case .asked, .queued, .loaded: break
        }
        drawLine(into: &frame)
    }

    private func drawProgress(_ progress: LoadProgress, into frame: inout Frame) {
        let bar = box.inset(rows: 0, columns: 2).centered(rows: 1, columns: 40)
        let row = box.rows - 2
        ProgressBar(progress: progress, columns: bar.columns, state: state)
            .draw(into: &frame, row: row, column: bar.column)
        let start = progress.resumedFrom
        let resumed = start > 0 ? "  resumed at \(CountText.bytes(start))" : ""
        let text = state.text(ProgressBar.label(progress) + resumed, limit: box.columns)
        let column = max(0, (box.columns - text.width) / 2)
        frame.draw(text, row: row + 1, column: column, style: state.theme.quiet)
    }

    private func drawFailure(_ reason: String, into frame: inout Frame) {
        let mark = state.capabilities.symbols == .ascii ? "x " : "✗ "
        let lines = WrappedText.lines(
            state.text(mark + reason),
            width: box.columns - 2,
            limit: box.rows
        )
        let top = (box.rows - lines.count) / 2
        for (offset, line) in lines.enumerated() {
            frame.draw(
                line,
                row: top + offset,
                column: (box.columns - line.width) / 2,
                style: state.theme.failure
            )
        }
    }

    private func drawLine(into frame: inout Frame) {
        let row = state.screen.rows - 2
        let facts = state.text(self.facts, limit: max(0, state.screen.columns - 10))
        let caption = state.text(
            detail.feedItem.caption,
            limit: state.screen.columns - facts.width - 4
        )
        frame.draw(caption, row: row, column: 1, style: state.theme.caption)
        frame.draw(
            facts,
            row: row,
            column: state.screen.columns - facts.width - 1,
            style: state.theme.quiet
        )
    }

    /// Dimensions, format, source, zoom: what is known of it.
    private var facts: String {
        switch detail.load {
        case .asked: "loading"
        case .queued: "queued"
        case .loading(let progress): ProgressBar.label(progress)
        case .failed: "failed"
        case .loaded(let source): loadedFacts(source)
        }
    }

    private func loadedFacts(_ source: ImageSource) -> String {
        guard let image = detail.image, let viewport = detail.viewport else { return "" }
        let size = image.properties.size
        let percent = max(1, Int((viewport.scale * 100).rounded()))
        let zoom = viewport.showsWholeImage ? "whole" : "zoom"
        var facts = [
            "\(size.width)x\(size.height)", image.properties.format.description, source.rawValue,
            detail.isStale ? "stale" : "", "\(zoom) \(percent)%",
        ].filter { !$0.isEmpty }
        // The caption keeps a third of the line: what stands before the zoom goes first.
        while facts.count > 2, facts.joined(separator: "  ").count > state.screen.columns * 2 / 3 {
            facts.remove(at: facts.count - 2)
        }
        return facts.joined(separator: "  ")
    }
}
