package import Decoders
package import ImageLoading
package import TerminalUI

/// An event that changes the image view.
package enum DetailMessage: Sendable {
    /// An event from the load at the size of the screen.
    case load(LoadEvent)
    /// An event from the load at full size.
    case fullSize(LoadEvent)
    /// The terminal cells that `DetailEffect.render` requested, with their viewport.
    case rendered(CellImage, DetailViewport)
}

/// A request from the image view.
package enum DetailEffect: Equatable, Sendable {
    /// Load an item at the size of the image view.
    ///
    /// The previous load of the image view is cancelled.
    case open(item: Int, refreshing: Bool)
    /// Also load the item of the image view at full size.
    case loadFullSize(item: Int)
    /// Close the image view, and cancel its loads.
    case close
    /// Render the image of the image view off the UI thread.
    case render(PixelBuffer, DetailViewport)
}
