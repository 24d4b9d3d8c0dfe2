import Decoders
import GalleryCore
import ImageLoading

extension SlotUpdate {
    /// What a load's event means for its cell.
    init(_ event: LoadEvent) {
        switch event {
        case .queued: self = .queued
        case .progress(let progress): self = .progress(progress)
        case .image(let response): self = .preview(response.image.pixels)
        case .finished(.success(let response)):
            self = .image(response.image.pixels, response.source)
        case .finished(.failure(let error)): self = .failed(error)
        }
    }
}

extension DetailUpdate {
    /// What a load's event means for the detail view; waiting for a transfer means nothing yet.
    init?(_ event: LoadEvent) {
        switch event {
        case .queued: return nil
        case .progress(let progress): self = .progress(progress)
        case .image(let response): self = .preview(response.image)
        case .finished(.success(let response)):
            self = .image(response.image, response.source, isStale: response.isStale)
        case .finished(.failure(let error)): self = .failed(error)
        }
    }
}
