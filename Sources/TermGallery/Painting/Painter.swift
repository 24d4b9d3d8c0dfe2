import GalleryCore

/// Brings frames to the screen; one painter owns the screen for a whole session.
///
/// Lives on the UI thread.
protocol Painter: AnyObject {
    /// Shows a frame: writes what differs from the frame before. The size may differ from it,
    /// then everything is drawn.
    func paint(_ frame: Frame, scroll: ScrollHint?)
    /// The next `paint` draws every cell.
    func invalidate()
}
