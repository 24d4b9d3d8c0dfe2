import Decoders
import GalleryCore
import ImageLoading

extension SlotUpdate {
    /// What a load's event means for its cell.
    init(_ event: LoadEvent) {
        switch event {
        case .queued: self = .queued
        case .progress(let progress): self = .progress(progress)
        case .image(let response) where response.isPreview:
            self = .preview(response.image.pixels)
        case .image(let response), .finished(.success(let response)):
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
        case .image(let response) where response.isPreview:
            self = .preview(response.image)
        case .image(let response), .finished(.success(let response)):
            self = .image(response.image, response.source)
        case .finished(.failure(let error)): self = .failed(error)
        }
    }
}
