package import Decoders
internal import Feeds
import TerminalUI

/// Members that open and close the image view.
extension GalleryState {
    /// The screen area of the image view.
    ///
    /// It excludes the status bar and an open panel. If there is enough space, it also excludes a
    /// margin.
    var detailRect: FrameRect {
        FrameRect(
            row: 0,
            column: 0,
            rows: max(1, screen.rows - 1),
            columns: panels.columnsForImage(on: screen)
        )
        .inset(rows: screen.rows >= 12 ? 1 : 0, columns: screen.columns >= 60 ? 2 : 0)
    }

    /// The space for the image in the image view, in cells and in pixels.
    var detailBox: DetailBox {
        let cells = ScreenSize(columns: detailRect.columns, rows: detailRect.rows)
        return DetailBox(
            cells: cells,
            cellPixels: capabilities.cellPixels,
            imageSize: capabilities.imageSize(filling: cells)
        )
    }

    /// Whether an image is open but has not been rendered yet.
    package var isDrawingDetail: Bool { detail.map { !$0.isDrawn } ?? false }

    /// The size in pixels at which the image view first loads an image.
    package var detailTargetSize: PixelSize { detailBox.imageSize }

    mutating func take(_ message: DetailMessage) -> [Effect] {
        switch message {
        case .load(let event):
            panels.note(event, ofItem: detail?.item)
            let expected = loads.expectedChanges.take(event, of: detail?.feedItem.url)
            return (detail?.apply(event) ?? []) + expected
                + checkLater(event, url: detail?.feedItem.url)
        case .fullSize(let event): return detail?.applyFullSize(event) ?? []
        case .rendered(let image, let viewport):
            showInDetail(image, viewport)
            return []
        }
    }

    mutating func openDetail() -> [Effect] {
        guard let feed = currentFeed, let item = selectedImage else { return [] }
        let hadLoad = detail != nil
        rememberSerial()
        let feedItem = feed[item]
        detail = DetailState(
            item: item,
            feedItem: feedItem,
            box: detailBox,
            serial: lastDetailSerial
        )
        guard feedItem.problem == nil else { return hadLoad ? [.detail(.close)] : [] }
        return [.detail(.open(item: item, refreshing: false))] + askForFullSizeAtOnce(of: feedItem)
    }

    /// Requests the full size of a remote image without waiting for its load at the size of the
    /// screen.
    ///
    /// Two simultaneous requests share a transfer. For a local file, the full size is requested
    /// later to make the image at the size of the screen available sooner.
    private mutating func askForFullSizeAtOnce(of feedItem: FeedItem) -> [Effect] {
        guard !feedItem.isLocal, let detail,
            let size = pool.slot(ofItem: detail.item)?.shown.facts.size
        else { return [] }
        let isLarger = !size.isInside(detailBox.imageSize)
        return self.detail?.askForFullSize(isLarger: isLarger) ?? []
    }

    mutating func closeDetail() -> [Effect] {
        rememberSerial()
        detail = nil
        return [.detail(.close)]
    }

    private mutating func rememberSerial() {
        lastDetailSerial = max(lastDetailSerial, detail?.serial ?? 0)
    }
}
