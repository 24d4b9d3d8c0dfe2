internal import Decoders

/// A thumbnail as stored on disk.
///
/// It consists of the decoded pixels, all image properties that a load reports, and the identity of
/// the source. All data is in the file itself, where the entry's checksum covers it, because an
/// extended attribute of this length would take a separate block. Numbers are little-endian.
///
///      0   1  the version of this format, 1
///      1   1  the version of the decoders
///      2   1  the source: 0 a body, 1 a partial body, 2 a file
///      3   1  bits: 1 if the pixels may be transparent; 2 if the original may be transparent;
///             4 if the original is progressive; 8 if the image is the thumbnail that a camera
///             embedded in the file
///      4   4  width in pixels
///      8   4  height
///     12   8  the full width of the original image
///     20   8  its full height
///     28   1  its EXIF orientation
///     29   1  the length of the name of its format
///     30   4  its number of frames
///     34   s  a `ContentChecksum`, or the file's `FileStamp`
///          f  the format, as `ImageFormat.rawValue`
///             the pixels (`PackedPixels`)
struct StoredThumbnail: Sendable {
    /// The version of the decoders.
    ///
    /// Raise it whenever the decoded pixels or properties change; `StoredThumbnailTests` enforces
    /// this.
    static let decoderVersion: UInt8 = 1
    /// The maximum number of pixels in a thumbnail; at four bytes per pixel, 2 MiB.
    static let maximumPixelCount = 1 << 19
    /// The maximum size of an encoded thumbnail in bytes.
    ///
    /// If the pixels cannot be compressed, the encoded thumbnail is slightly larger than the
    /// pixels.
    static let maximumByteCount = maximumPixelCount * 4 + (64 << 10)

    private static let version: UInt8 = 1
    private static let headByteCount = 34

    private enum Bit {
        static let transparentPixels: UInt8 = 1
        static let transparentPicture: UInt8 = 2
        static let progressive: UInt8 = 4
        static let camera: UInt8 = 8
    }

    let image: DecodedImage
    let source: ThumbnailSource

    /// Creates a thumbnail; returns nil if the image cannot be restored exactly or is too large.
    ///
    /// A damaged image is rejected, because its file may be intact the next time. A preview is
    /// rejected, because it is not the final image. An image with decoded animation frames is
    /// rejected too. An animation can be stored if its frames were not requested: the load then
    /// reports only the first frame and the number of frames.
    init?(_ image: DecodedImage, madeFrom source: ThumbnailSource) {
        let size = image.pixels.size
        guard image.isFinal, image.damage == nil, image.animation == nil, !size.isEmpty,
            size.pixelCount <= Self.maximumPixelCount,
            image.properties.format.rawValue.utf8.count <= Int(UInt8.max),
            (0...Int(UInt8.max)).contains(image.properties.orientation),
            UInt32(exactly: image.properties.frameCount) != nil
        else { return nil }
        (self.image, self.source) = (image, source)
    }

    /// Encodes the thumbnail; returns nil if there is not enough memory.
    ///
    /// This takes a millisecond for 60,000 pixels.
    func encoded() -> [UInt8]? {
        guard let pixels = PackedPixels.pack(image.pixels) else { return nil }
        let properties = image.properties
        let format = Array(properties.format.rawValue.utf8)
        var bits: UInt8 = image.pixels.hasAlpha ? Bit.transparentPixels : 0
        if properties.hasAlpha { bits |= Bit.transparentPicture }
        if properties.isProgressive { bits |= Bit.progressive }
        if image.isThumbnail { bits |= Bit.camera }
        let (kind, origin) = Self.encoded(source)
        var result: [UInt8] = [Self.version, Self.decoderVersion, kind, bits]
        result.reserveCapacity(Self.headByteCount + origin.count + format.count + pixels.count)
        result.append(littleEndian: UInt64(image.pixels.size.width), byteCount: 4)
        result.append(littleEndian: UInt64(image.pixels.size.height), byteCount: 4)
        result.append(littleEndian: UInt64(properties.size.width), byteCount: 8)
        result.append(littleEndian: UInt64(properties.size.height), byteCount: 8)
        result += [UInt8(properties.orientation), UInt8(format.count)]
        result.append(littleEndian: UInt64(properties.frameCount), byteCount: 4)
        return result + origin + format + pixels
    }

    /// Returns the source of an encoded thumbnail without decoding the pixels.
    ///
    /// Returns nil if the version of the format or the decoders differs, if the kind of source is
    /// unknown, or if there are too few bytes.
    static func source(of bytes: [UInt8]) -> ThumbnailSource? {
        guard bytes.count > headByteCount, bytes[0] == version, bytes[1] == decoderVersion,
            let byteCount = sourceByteCount(kind: bytes[2]),
            bytes.count > headByteCount + byteCount
        else { return nil }
        let origin = bytes[headByteCount..<(headByteCount + byteCount)]
        switch bytes[2] {
        case 0: return .body(ContentChecksum(decoding: origin))
        case 1: return .partial(ContentChecksum(decoding: origin))
        default: return .file(FileStamp(decoding: origin))
        }
    }

    /// Creates a thumbnail from its encoded form.
    ///
    /// `formats` are the formats known to the decoders, by name. The result is nil if the version
    /// of the format or the decoders differs, if the bytes are damaged, or if `formats` does not
    /// contain the format of the original image. All values in the bytes are checked before they
    /// are used, and at most `maximumPixelCount` pixels are created.
    init?(decoding bytes: [UInt8], formats: [String: ImageFormat]) {
        guard let source = Self.source(of: bytes),
            let sourceByteCount = Self.sourceByteCount(kind: bytes[2])
        else { return nil }
        let nameStart = Self.headByteCount + sourceByteCount
        let pixelStart = nameStart + Int(bytes[29])
        guard bytes.count > pixelStart,
            let name = String(validating: bytes[nameStart..<pixelStart], as: UTF8.self),
            let format = formats[name],
            let size = Self.size(bytes[4..<8], bytes[8..<12]),
            size.pixelCount <= Self.maximumPixelCount,
            let fullSize = Self.size(bytes[12..<20], bytes[20..<28]),
            let pixels = PackedPixels.unpack(
                bytes[pixelStart...],
                size: size,
                hasAlpha: bytes[3] & Bit.transparentPixels != 0
            )
        else { return nil }
        let properties = ImageProperties(
            format: format,
            size: fullSize,
            orientation: Int(bytes[28]),
            hasAlpha: bytes[3] & Bit.transparentPicture != 0,
            isProgressive: bytes[3] & Bit.progressive != 0,
            frameCount: Int(bytes[30..<34].littleEndian)
        )
        image = DecodedImage(
            pixels: pixels,
            properties: properties,
            isThumbnail: bytes[3] & Bit.camera != 0
        )
        self.source = source
    }

    /// Decodes a width and a height; returns nil if either is out of range.
    private static func size(_ width: ArraySlice<UInt8>, _ height: ArraySlice<UInt8>) -> PixelSize?
    {
        let (width, height) = (width.littleEndian, height.littleEndian)
        guard (1...UInt64(Int32.max)).contains(width), (1...UInt64(Int32.max)).contains(height)
        else { return nil }
        return PixelSize(width: Int(width), height: Int(height))
    }

    private static func encoded(_ source: ThumbnailSource) -> (kind: UInt8, bytes: [UInt8]) {
        switch source {
        case .body(let content): (0, content.encoded())
        case .partial(let content): (1, content.encoded())
        case .file(let stamp): (2, stamp.encoded())
        }
    }

    private static func sourceByteCount(kind: UInt8) -> Int? {
        switch kind {
        case 0, 1: ContentChecksum.encodedByteCount
        case 2: FileStamp.encodedByteCount
        default: nil
        }
    }
}
