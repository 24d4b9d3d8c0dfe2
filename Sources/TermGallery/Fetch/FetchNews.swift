import Decoders
import GalleryCore
import ImageLoading

/// What the thread of a fetch is woken for.
enum FetchNews: Sendable {
    case input(FetchInput.Part)
    case ended(Int, FetchedPicture, Duration)
    /// A load waits for its host, and makes room for others meanwhile; or it does no longer.
    case waits(Bool)
    case notice(TransferNotice)
    /// What a site says of its rules for programs.
    case robots(site: String, RobotsAnswer)
    /// A signal came.
    case interrupted
}

/// What a load of a fetch came to.
struct FetchedPicture: Sendable {
    let result: Result<ImageResponse, ImageLoadingError>
    /// What was made of it.
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

/// How much of a picture is looked at to know that it is one.
enum PictureCheck: String, CaseIterable, Sendable {
    /// Its header.
    case head
    /// A small picture made of all of it, in the fastest way there is.
    case thumbnail
    /// All pixels.
    case full

    /// What it is decoded to; nil for all there is, or nothing.
    var targetSize: PixelSize? {
        switch self {
        case .head, .full: nil
        case .thumbnail: PixelSize(width: 40, height: 40)
        }
    }
}
