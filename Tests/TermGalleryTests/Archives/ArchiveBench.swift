import GalleryCore
import ImageLoading
import ImageLoadingTesting
@testable import TermGallery
import Testing

/// Reads archives as feeds, and loads what is in them.
struct ArchiveBench {
    let harness = LoadingHarness()

    func read(_ source: FeedSource) async -> Result<Feed, FeedError> {
        let reader = FeedReader(manager: harness.manager)
        return await blocking { Result { () throws(FeedError) in try reader.read([source]) } }
    }

    /// Expects an item to be the picture of the harness.
    func load(_ item: FeedItem, _ origin: RequestOrigin = .local) async throws {
        let request = ImageRequest(url: item.url, origin: origin)
        let response = try await harness.manager.response(for: request)
        #expect(response.image.properties.size == PixelSize(width: 3, height: 2))
    }

    /// Why an item can't be loaded.
    func reason(_ item: FeedItem) async -> String {
        do throws(ImageLoadingError) {
            _ = try await harness.manager.response(for: ImageRequest(url: item.url))
            return "loaded"
        } catch {
            return error.description
        }
    }
}
