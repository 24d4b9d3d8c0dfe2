internal import Decoders
internal import Feeds
internal import ImageLoading
import TerminalUI

/// The versions and the placeholder that a cell can show instead of the original image.
///
/// A feed may offer an image in several sizes. It may also contain a BlurHash, from which a
/// placeholder is rendered and shown until the first pixels arrive.
struct CellPreview: Equatable, Sendable {
    /// The version that the cell loads or shows, or nil for the original image.
    private(set) var version: PictureVersion?
    /// The rendered placeholder, or nil if it has not been rendered.
    ///
    /// A placeholder is rendered only if the load takes more than 100 to 200 ms.
    private(set) var placeholder: CellImage?
    private let versions: [PictureVersion]
    private let blurHash: BlurHash?

    init(of item: FeedItem? = nil) {
        versions = item?.details?.versions ?? []
        blurHash = item?.details?.blurHash
    }

    /// Selects the version of the image for a target size.
    ///
    /// If `targetSize` is nil, the original image is selected.
    mutating func choose(for targetSize: PixelSize?) {
        version = targetSize.flatMap(versions.version)
    }

    /// Returns whether the width of the selected version is known and less than that of `target`.
    func isNarrower(than target: PixelSize) -> Bool {
        guard let width = version?.width else { return false }
        return width < target.width
    }

    /// Returns whether a loaded version is smaller than required.
    ///
    /// The result is true only if the width of the version was unknown before the load.
    func isTooSmall(_ image: DecodedImage, for targetSize: PixelSize) -> Bool {
        let size = image.properties.size
        return version.map { $0.width == nil } == true && size.width < targetSize.width
            && size.height < targetSize.height
    }

    /// Renders the placeholder.
    ///
    /// If `size` is not nil, the placeholder has the aspect ratio of `size`.
    mutating func render(of size: PixelSize?, in area: ImageArea) {
        placeholder = nil
        guard let blurHash else { return }
        switch area.capabilities.colorDepth {
        // With at most 16 colors, a placeholder would be blotchy.
        case .monochrome, .ansi16: return
        case .palette256, .trueColor: break
        }
        let size = size ?? blurHash.usualSize
        placeholder = area.image(blurHash.pixels(of: size), of: size, isPreview: true)
    }
}
