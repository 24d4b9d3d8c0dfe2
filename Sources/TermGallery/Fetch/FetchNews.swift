import Decoders
import Feeds
import GalleryCore
import ImageLoading

/// An event that wakes the main thread of a fetch.
enum FetchNews: Sendable {
    case input(FetchInput.Part)
    case ended(Int, FetchedPicture, Duration)
    /// A load has started (true) or stopped (false) waiting for its host.
    ///
    /// While it waits, another load may run.
    case waits(Bool)
    case notice(TransferNotice)
    /// A site's response to the request for its robots.txt rules.
    case robots(site: String, RobotsAnswer)
    case interrupted
}

/// The result of loading one image.
struct FetchedPicture: Sendable {
    let result: Result<ImageResponse, ImageLoadingError>
    /// The sample made from the image, or nil if no sample was made.
    var sample: Sample?
}

extension FetchedPicture {
    init(_ response: ImageResponse, _ made: Result<Sample, ImageLoadingError>) {
        var response = response
        response.body = nil
        switch made {
        case .success(let sample): self.init(result: .success(response), sample: sample)
        case .failure(let error): self.init(result: .failure(error))
        }
    }
}

/// The part of an image that is decoded to validate the image.
enum PictureCheck: String, CaseIterable, Sendable {
    /// Only the header is decoded.
    case head
    /// The whole file is decoded to a small image, with the fastest available method.
    case thumbnail
    /// All pixels are decoded.
    case full

    /// The size at which the image is decoded, or nil if it is decoded at full size or not decoded.
    var targetSize: PixelSize? {
        switch self {
        case .head, .full: nil
        case .thumbnail: PixelSize(width: 40, height: 40)
        }
    }
}
