/// The options for decoding an image.
public struct DecodingOptions: Sendable {
    /// The size of the box into which the image is scaled, in pixels, or nil to decode at full
    /// size.
    ///
    /// The box applies to the upright image.
    public var targetSize: PixelSize?
    /// Whether the image is fitted into `targetSize` or fills it.
    public var contentMode: ImageContentMode
    /// The resource limits for decoding.
    public var limits: DecodingLimits
    /// Whether decoding a truncated file returns a partial image instead of throwing `truncated`.
    ///
    /// Use this option for previews while a file is being received. Missing rows are transparent.
    /// If scans or passes are missing, the image is less detailed. If the file contains no pixels
    /// that can be shown, decoding still throws `truncated`.
    public var acceptsTruncation: Bool
    /// Whether decoding a damaged file returns a partial image, as in browsers, instead of throwing
    /// an error.
    ///
    /// Missing parts are transparent, damaged parts may look wrong, and `DecodedImage.damage`
    /// contains the error. A registry first calls its decoder without this option. If the file is
    /// damaged, the registry calls the decoder again with this option. With this option, a decoder
    /// continues after damage if possible and does not have to report it.
    public var acceptsDamage: Bool
    /// Whether a thumbnail embedded by a camera may be returned instead of the image.
    ///
    /// The thumbnail is used if it is at least as large as requested and nothing in the file
    /// indicates that it shows a different image. In this case, `DecodedImage.isThumbnail` is true.
    /// Decoding a thumbnail takes a hundredth of the time needed to decode the image.
    public var acceptsThumbnail: Bool
    /// Whether an image larger than requested may be returned if that takes less time.
    ///
    /// Use this option if the caller reduces the image with its own resampling filter.
    ///
    /// An image is returned at full size if each side is less than twice as long as requested, or
    /// if it has up to 65,536 pixels. Reducing such an image twice would blur its edges. For a
    /// larger JPEG, libjpeg omits high frequencies. The result is the smallest size that libjpeg
    /// can produce in this way and that has at least one sample for each requested pixel.
    public var acceptsLarger = false
    /// The frames of an animated file to decode for `DecodedImage.animation`, or nil for a still
    /// image.
    ///
    /// A still image shows only the first frame. If a frame is damaged, its intact part is shown,
    /// and later frames are still decoded.
    public var animation: AnimationRequest?
    /// Whether this module's faster code may be used instead of libjpeg and libpng for the files
    /// that it supports.
    ///
    /// If false, only the libraries are used, for example to compare results.
    public var usesFastPaths: Bool
    /// A function that is called every few rows; if it returns true, the decode throws
    /// `ImageDecodingError.cancelled`.
    public var isCancelled: @Sendable () -> Bool
    /// The clocks that measure `DecodingLimits.maximumDuration`.
    var clocks = DecodingClocks.system

    /// Creates options.
    ///
    /// By default, images are decoded at full size with the default limits, and decoding is never
    /// cancelled.
    public init(
        targetSize: PixelSize? = nil,
        contentMode: ImageContentMode = .fit,
        limits: DecodingLimits = DecodingLimits(),
        acceptsTruncation: Bool = false,
        acceptsDamage: Bool = false,
        acceptsThumbnail: Bool = false,
        animation: AnimationRequest? = nil,
        usesFastPaths: Bool = true,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.targetSize = targetSize
        self.contentMode = contentMode
        self.limits = limits
        self.acceptsTruncation = acceptsTruncation
        self.acceptsDamage = acceptsDamage
        self.acceptsThumbnail = acceptsThumbnail
        self.animation = animation
        self.usesFastPaths = usesFastPaths
        self.isCancelled = isCancelled
    }
}

/// The frames of an animated file to decode.
public struct AnimationRequest: Hashable, Sendable {
    /// The index of the first requested frame, starting at 0.
    public var firstFrame: Int
    /// The maximum total size, in bytes, of the decoded frames at the requested size.
    ///
    /// At least one frame is decoded, even if it exceeds this limit.
    public var maximumByteCount: Int

    /// Creates a request for the frames starting at `firstFrame`, by default for up to 32 MiB.
    public init(firstFrame: Int = 0, maximumByteCount: Int = 32 << 20) {
        self.firstFrame = firstFrame
        self.maximumByteCount = maximumByteCount
    }
}

/// The resource limits for decoding one image.
///
/// If a limit is exceeded, decoding throws an error that names the limit.
///
/// Untrusted files can declare anything: a file of a few kilobytes can request gigabytes of pixels,
/// hours of work or thousands of passes.
public struct DecodingLimits: Hashable, Sendable {
    /// The maximum number of pixels that a header may declare; by default, there is no limit.
    ///
    /// Memory and time are still limited. Values above 2⁴⁰ have the same effect as 2⁴⁰, because
    /// summing the light of more pixels could overflow.
    public var maximumPixelCount: Int
    /// The maximum memory that a decode may use at once, in bytes, including the result.
    public var maximumByteCount: Int
    /// The maximum length of a side, in pixels; by default the largest side of a PNG, 2³¹ - 1.
    ///
    /// Formats have their own limits: a JPEG has sides of up to 65,500 pixels, the limit of
    /// libjpeg.
    public var maximumSide = Int(Int32.max)
    /// The maximum processor time for decoding after the header has been read; by default 20 s.
    ///
    /// The largest images that the other limits allow take a few seconds. Decoders check the time
    /// every few rows.
    public var maximumDuration = Duration.seconds(20)
    /// The maximum number of scans in a JPEG; by default 500.
    ///
    /// Each scan is a pass over the entire image but can be as short as 20 bytes, so a file of a
    /// few kilobytes can contain thousands of scans. Encoders write about ten.
    public var maximumScanCount = 500
    /// The maximum size, in bytes, of a color profile and, separately, of an EXIF block.
    ///
    /// For a profile, the limit applies to the joined and inflated bytes. The default is 4 MiB,
    /// twice the size of the largest profiles for printing presses. Decoders skip all other
    /// metadata, such as text, previews and unknown chunks, and do not limit its size.
    public var maximumMetadataByteCount = 4 << 20

    /// Creates limits; by default, any number of pixels may be decoded with up to 512 MiB of
    /// memory.
    ///
    /// Before decoding starts, the required memory is estimated from the header and the requested
    /// size.
    public init(maximumPixelCount: Int = .max, maximumByteCount: Int = 512 << 20) {
        self.maximumPixelCount = maximumPixelCount
        self.maximumByteCount = maximumByteCount
    }
}
