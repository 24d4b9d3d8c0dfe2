internal import Decoders

/// An image as it was shown, in the form in which it lies on disk: all that a load would have told
/// of it, with what it was made of.
///
/// Everything stands in the file itself, where the entry's checksum covers it: an extended attribute
/// of this length takes a block of its own. Numbers are little-endian.
///
///      0   1  the version of this form, 1
///      1   1  the version of the decoders
///      2   1  what it was made of: 0 a body, 1 part of a body, 2 a file
///      3   1  1: pixels may be transparent; 2: the picture's may; 4: it is progressive; 8: the image
///             is the thumbnail that a camera put into the file
///      4   4  width in pixels
///      8   4  height
///     12   8  the full width of the picture
///     20   8  its full height
///     28   1  its EXIF orientation
///     29   1  how long the name of its format is
///     30   4  its frames
///     34   s  a `ContentChecksum`, or the file's `FileStamp`
///          f  the format, as `ImageFormat.rawValue`
///             the pixels (`PackedPixels`)
struct StoredThumbnail: Sendable {
    /// What decoders make of a file is the same for as long as this is: to be raised with any change
    /// of pixels or properties, which `StoredThumbnailTests` holds.
    static let decoderVersion: UInt8 = 1
    /// Larger images are no thumbnails: with four bytes a pixel, 2 MiB.
    static let maximumPixelCount = 1 << 19
    /// No thumbnail is longer: pixels that don't deflate take a little more room than they have.
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

    /// Nil for an image that would not come back as it is, or is more than a thumbnail.
    ///
    /// A damaged file may be whole the next time, and a preview is of a part that says nothing of the
    /// rest. Of an animation the first frame is kept, which is all that a load tells of it besides
    /// the number of frames.
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

    /// Packs it; nil without memory for that.
    ///
    /// Takes a millisecond for 60,000 pixels.
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

    /// What `bytes` were made of, without a look at the pixels; nil if this version did not write them.
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

    /// Reads it back; nil if this version did not write it, or if it is damaged.
    ///
    /// `formats` are those that decoders know, by their names. Nothing that stands in the bytes is
    /// believed before it is checked; at most `maximumPixelCount` pixels are made of them.
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

    /// Nil for sides that no picture has.
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
