public import Decoders
public import ImageLoading

/// Everything that can happen to the gallery.
public enum Message: Sendable {
    /// A key was pressed.
    case key(Key)
    /// The mouse did something.
    case mouse(Mouse)
    /// The screen has this size (also sent once at the start).
    case resize(ScreenSize)
    /// The feed arrived, or could not be read (one line that says why).
    case feed(Result<Feed, FeedError>)
    /// Something about the item bound to a slot of the cell pool.
    case slot(Int, SlotUpdate)
    /// Something about the picture of the detail view.
    case detail(DetailUpdate)
    /// Fresh counters.
    case statistics(LoadingStatistics)
    /// How loading ahead goes.
    case ahead(PrefetchStatistics)
    /// The frame timer ticked; runs only while `GalleryState.needsTicks`.
    case tick
    /// Something was done that the person asked for; the text goes into the status bar.
    case notice(String)
}

/// News about the load bound to a slot.
///
/// The program drops late news (generation check in `ImageBinding`) before it becomes a message.
public enum SlotUpdate: Sendable {
    /// Waits for a transfer slot.
    case queued
    /// The transfer runs.
    case progress(LoadProgress)
    /// A picture that is not the last word.
    case preview(PixelBuffer)
    /// The picture, and which level answered.
    case image(PixelBuffer, ImageSource)
    /// No picture; the error says why.
    case failed(ImageLoadingError)
}

/// News about the detail view's picture.
public enum DetailUpdate: Sendable {
    /// The transfer or the decode runs.
    case progress(LoadProgress)
    /// A picture that is not the last word.
    case preview(DecodedImage)
    /// The picture at full size (or scaled down to fit the memory limit); stale if its server
    /// should have been asked and wasn't, or didn't answer.
    case image(DecodedImage, ImageSource, isStale: Bool = false)
    /// No picture.
    case failed(ImageLoadingError)
    /// The art that `Effect.renderDetail` asked for, with the request it answers.
    case art(CellArt, DetailViewport)
}
