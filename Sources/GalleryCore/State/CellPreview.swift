internal import Decoders
internal import ImageLoading

/// What a cell may show in place of a picture: a version of another size, and a placeholder until
/// something has come.
struct CellPreview: Equatable, Sendable {
    /// The version that is shown or loads; nil for the picture itself.
    private(set) var version: PictureVersion?
    /// Rendered when the load has to be waited for.
    private(set) var placeholder: CellImage?
    private let versions: [PictureVersion]
    private let blurHash: BlurHash?

    init(of item: FeedItem? = nil) {
        versions = item?.details?.versions ?? []
        blurHash = item?.details?.blurHash
    }

    /// Chooses the version for an image of a size; the picture itself for nil.
    mutating func choose(for targetSize: PixelSize?) {
        version = targetSize.flatMap(versions.version)
    }

    /// Whether another version would be chosen for a size, because this one is too small.
    func isNarrower(than target: PixelSize) -> Bool {
        guard let width = version?.width else { return false }
        return width < target.width
    }

    /// Whether an image that came of a version whose width was not known is smaller than wanted.
    func isTooSmall(_ image: DecodedImage, for targetSize: PixelSize) -> Bool {
        let size = image.properties.size
        return version.map { $0.width == nil } == true && size.width < targetSize.width
            && size.height < targetSize.height
    }

    /// Makes the placeholder, of a picture of this size if that is known.
    mutating func render(of size: PixelSize?, box: ScreenSize, capabilities: ScreenCapabilities) {
        placeholder = nil
        guard let blurHash else { return }
        switch capabilities.colorDepth {
        // So few colours make patches of it.
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

extension GalleryState {
    /// The version of an item that its cell loads; nil for the picture itself.
    public func version(ofItem item: Int) -> PictureVersion? {
        guard let feed = try? feed?.get(), item < feed.count else { return nil }
        return pool.version(of: item, feed[item])
    }
}
