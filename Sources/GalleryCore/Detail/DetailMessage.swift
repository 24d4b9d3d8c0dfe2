package import Decoders
package import ImageLoading
package import TerminalUI

/// An event that changes the image view.
package enum DetailMessage: Sendable {
    /// An event from the load at the size of the screen.
    case load(LoadEvent)
    /// An event from the load at full size.
    case fullSize(LoadEvent)
    /// The rendered cells that `DetailEffect.render` requested, and the viewport for which they
    /// were rendered.
    case rendered(CellImage, DetailViewport)
}

/// A request from the image view.
package enum DetailEffect: Equatable, Sendable {
    /// Load an item at the size of the image view.
    ///
    /// The previous load in the image view is cancelled.
    case open(item: Int, refreshing: Bool)
    /// Load the displayed item at full size, in addition to the load at the size of the screen.
    case loadFullSize(item: Int)
    /// Close the image view, and cancel its loads.
    case close
    /// Render the displayed image off the UI thread.
    case render(PixelBuffer, DetailViewport)
}
