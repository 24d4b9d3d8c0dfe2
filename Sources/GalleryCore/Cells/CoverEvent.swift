package import Decoders
package import Feeds
package import ImageLoading

/// An event from the loads for a folder's cell.
package enum CoverEvent: Sendable {
    /// The folder was read.
    case listed(FolderContents)
    /// An image of the cover was loaded.
    case loaded(from: ImageSource)
    /// All loads have ended.
    ///
    /// The value is the cover, or nil if the folder has no images.
    case finished(PixelBuffer?)
    /// The folder can't be read for this reason.
    case unreadable(String)
    /// None of the images could be loaded.
    case failed(ImageLoadingError)
}
