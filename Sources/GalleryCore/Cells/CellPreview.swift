internal import Decoders
internal import Feeds
internal import ImageLoading
import TerminalUI

/// The alternatives to the image of a cell: a version of another size, and a placeholder that is
/// shown until the first pixels arrive.
struct CellPreview: Equatable, Sendable {
    /// The version that is shown or loaded, or nil for the image itself.
    private(set) var version: PictureVersion?
    /// The placeholder, which is rendered if the load takes some time.
    private(set) var placeholder: CellImage?
    private let versions: [PictureVersion]
    private let blurHash: BlurHash?

    init(of item: FeedItem? = nil) {
        versions = item?.details?.versions ?? []
        blurHash = item?.details?.blurHash
    }

    /// Selects the version for a target size; nil selects the image itself.
    mutating func choose(for targetSize: PixelSize?) {
        version = targetSize.flatMap(versions.version)
    }

    /// Returns whether the selected version is known to be narrower than a target size.
    func isNarrower(than target: PixelSize) -> Bool {
        guard let width = version?.width else { return false }
        return width < target.width
    }

    /// Returns whether a loaded version, whose width was unknown before the load, is smaller than
    /// required.
    func isTooSmall(_ image: DecodedImage, for targetSize: PixelSize) -> Bool {
        let size = image.properties.size
        return version.map { $0.width == nil } == true && size.width < targetSize.width
            && size.height < targetSize.height
    }

    /// Renders the placeholder, with the aspect ratio of the image if its size is known.
    mutating func render(of size: PixelSize?, box: ScreenSize, capabilities: ScreenCapabilities) {
        placeholder = nil
        guard let blurHash else { return }
        switch capabilities.colorDepth {
        // With at most 16 colors, a placeholder would be blotchy.
        case .monochrome, .ansi16: return
        case .palette256, .trueColor: break
        }
        let size = size ?? blurHash.usualSize
        placeholder = CellImage(
            blurHash.pixels(of: size),
            of: size,
            box: box,
            capabilities: capabilities,
            isPreview: true
        )
    }
}
