/// A parser that finds the orientation and the thumbnail in an EXIF block.
///
/// The block is a small TIFF file:
///
///     "II" or "MM" | 42 (16) | offset of the first directory (32)
///     directory:  entry count (16) | entries of 12 bytes: tag (16) type (16) count (32) value (32)
///                 | offset of the next directory (32), 0 for none
///
/// Numbers in parentheses are sizes in bits. All numbers are untrusted: reads past the end return
/// nil, and an invalid block is treated as an upright image without a thumbnail.
struct EXIFParser {
    private static let orientationTag = 0x0112
    private static let byteType = 1
    private static let shortType = 3
    private static let longType = 4
    private static let undefinedType = 7

    let bytes: [UInt8]
    private let isBigEndian: Bool

    /// Returns the orientation in `bytes`, which must start with the TIFF header.
    static func orientation(in bytes: [UInt8]) -> Orientation {
        EXIFParser(bytes)?.orientation() ?? .upright
    }

    init?(_ bytes: [UInt8]) {
        switch bytes.prefix(2) {
        case [0x49, 0x49]: isBigEndian = false
        case [0x4D, 0x4D]: isBigEndian = true
        default: return nil
        }
        self.bytes = bytes
        guard number(at: 2, byteCount: 2) == 42 else { return nil }
    }

    private func orientation() -> Orientation? {
        number(at: 4, byteCount: 4).flatMap { value(ofTag: Self.orientationTag, in: $0) }
            .flatMap(Orientation.init(rawValue:))
    }

    /// Returns the number for `tag` in the directory at `directory`, or nil if the tag is missing
    /// or has more than one number.
    func value(ofTag tag: Int, in directory: Int) -> Int? {
        entry(ofTag: tag, in: directory).flatMap(value(of:))
    }

    /// Returns the offset of the first entry for `tag` in the directory at `directory`, or nil if
    /// the directory has no such entry.
    func entry(ofTag tag: Int, in directory: Int) -> Int? {
        guard let entryCount = number(at: directory, byteCount: 2) else { return nil }
        for index in 0..<entryCount {
            let entry = directory + 2 + index * 12
            guard let found = number(at: entry, byteCount: 2) else { return nil }
            if found == tag { return entry }
        }
        return nil
    }

    /// Returns the range of the bytes for `tag` in the directory at `directory`.
    ///
    /// Returns nil if the tag is missing, if its type is not UNDEFINED, or if the bytes are stored
    /// in the entry itself.
    func block(ofTag tag: Int, in directory: Int) -> Range<Int>? {
        guard let entry = entry(ofTag: tag, in: directory),
            number(at: entry + 2, byteCount: 2) == Self.undefinedType,
            let count = number(at: entry + 4, byteCount: 4), count > 4,
            let offset = number(at: entry + 8, byteCount: 4), count <= bytes.count - offset
        else { return nil }
        return offset..<offset + count
    }

    /// Returns the number in the entry at offset `entry`.
    ///
    /// Returns nil if the entry does not contain exactly one number. The standard requires the
    /// SHORT type, but some writers use BYTE or LONG.
    private func value(of entry: Int) -> Int? {
        guard number(at: entry + 4, byteCount: 4) == 1 else { return nil }
        return switch number(at: entry + 2, byteCount: 2) {
        case Self.byteType: number(at: entry + 8, byteCount: 1)
        case Self.shortType: number(at: entry + 8, byteCount: 2)
        case Self.longType: number(at: entry + 8, byteCount: 4)
        default: nil
        }
    }

    /// Returns an unsigned number of up to 4 bytes, or nil if it is out of bounds.
    func number(at offset: Int, byteCount: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - byteCount else { return nil }
        let digits = bytes[offset..<offset + byteCount]
        return isBigEndian
            ? digits.reduce(0) { $0 << 8 | Int($1) }
            : digits.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

/// Finds the JPEG thumbnail that cameras embed and describe in the second directory (EXIF 2.3,
/// section 4.5.8).
extension EXIFParser {
    private static let compressionTag = 0x0103
    private static let offsetTag = 0x0201
    private static let byteCountTag = 0x0202
    /// The TIFF compression type "old-style JPEG".
    private static let jpegCompression = 6
    private static let headerByteCount = 8

    /// Returns the range of the thumbnail in `bytes`, or nil if there is no thumbnail.
    ///
    /// `bytes` must start with the TIFF header.
    static func thumbnail(in bytes: [UInt8]) -> Range<Int>? {
        EXIFParser(bytes)?.thumbnail()
    }

    /// Returns whether the thumbnail seems to show the same image as the file.
    ///
    /// `size` is the size of the image. Returns false if the EXIF block declares a different size,
    /// if the thumbnail has a different orientation, or if the image was changed after the
    /// thumbnail was made.
    static func isThumbnailCurrent(in bytes: [UInt8], for size: PixelSize) -> Bool {
        guard let parser = EXIFParser(bytes), let first = parser.number(at: 4, byteCount: 4),
            let start = parser.secondDirectory
        else { return false }
        return parser.hasSize(size, first) && parser.hasOneOrientation(first, start)
            && !parser.isChanged(first, start)
    }

    /// Returns whether the previews that follow the image in the file seem to show the same image.
    ///
    /// `size` is the size of the image. The EXIF block does not describe the previews, so only the
    /// declared size and the date of the last change are checked.
    static func arePreviewsCurrent(in bytes: [UInt8], for size: PixelSize) -> Bool {
        guard let parser = EXIFParser(bytes), let first = parser.number(at: 4, byteCount: 4) else {
            return false
        }
        return parser.hasSize(size, first) && !parser.isChanged(first, nil)
    }

    private static let exifDirectoryTag = 0x8769
    private static let widthTag = 0xA002
    private static let heightTag = 0xA003
    private static let changeTag = 0x0132
    private static let originTags = [0x9003, 0x9004]
    /// The length of "2026:11:23 01:30:00" and its NUL byte.
    private static let dateByteCount = 20
    private static let textType = 2

    private var secondDirectory: Int? {
        number(at: 4, byteCount: 4).flatMap(extent(ofDirectory:))
            .flatMap { number(at: $0.upperBound - 4, byteCount: 4) }
    }

    /// Returns whether the EXIF block declares `size` as the image size or declares no size.
    ///
    /// The sizes differ if an image was cropped, because editors keep the size that the camera
    /// declared.
    private func hasSize(_ size: PixelSize, _ first: Int) -> Bool {
        guard let directory = value(ofTag: Self.exifDirectoryTag, in: first) else { return true }
        let width = value(ofTag: Self.widthTag, in: directory) ?? size.width
        let height = value(ofTag: Self.heightTag, in: directory) ?? size.height
        return width == size.width && height == size.height
    }

    private func hasOneOrientation(_ first: Int, _ second: Int) -> Bool {
        let own = value(ofTag: Self.orientationTag, in: second)
        return own == nil || own == value(ofTag: Self.orientationTag, in: first)
    }

    /// Returns whether the image was changed after it was taken and after its thumbnail was made.
    ///
    /// `first` and `second` are the offsets of the directories of the image and of the thumbnail.
    /// If the date of the thumbnail is unknown, only the other dates are compared. If the date of
    /// the image or of the change is unknown, returns false.
    private func isChanged(_ first: Int, _ second: Int?) -> Bool {
        guard let change = date(ofTag: Self.changeTag, in: first),
            let directory = value(ofTag: Self.exifDirectoryTag, in: first),
            let origin = Self.originTags.compactMap({ date(ofTag: $0, in: directory) }).max(by: {
                $0.lexicographicallyPrecedes($1)
            })
        else { return false }
        let isLater = origin.lexicographicallyPrecedes(change)
        let made = second.flatMap { date(ofTag: Self.changeTag, in: $0) }
        return isLater && made.map { $0.lexicographicallyPrecedes(change) } ?? true
    }

    /// Returns the bytes of a date, or nil if the date is missing.
    ///
    /// The bytes sort in chronological order.
    private func date(ofTag tag: Int, in directory: Int) -> ArraySlice<UInt8>? {
        guard let entry = entry(ofTag: tag, in: directory),
            number(at: entry + 2, byteCount: 2) == Self.textType,
            number(at: entry + 4, byteCount: 4) == Self.dateByteCount,
            let offset = number(at: entry + 8, byteCount: 4),
            offset <= bytes.count - Self.dateByteCount
        else { return nil }
        return bytes[offset..<offset + Self.dateByteCount - 1]
    }

    /// Returns the range of the thumbnail, or nil if it is missing or invalid.
    ///
    /// The thumbnail is also invalid if it overlaps a directory, or if the directories overlap. No
    /// camera writes such a block.
    private func thumbnail() -> Range<Int>? {
        guard let first = number(at: 4, byteCount: 4).flatMap(extent(ofDirectory:)),
            let start = number(at: first.upperBound - 4, byteCount: 4),
            let second = extent(ofDirectory: start), !first.overlaps(second),
            value(ofTag: Self.compressionTag, in: start) ?? Self.jpegCompression
                == Self.jpegCompression,
            let offset = value(ofTag: Self.offsetTag, in: start),
            let byteCount = value(ofTag: Self.byteCountTag, in: start)
        else { return nil }
        let thumbnail = offset..<offset + byteCount
        guard byteCount > 2, offset >= Self.headerByteCount, thumbnail.upperBound <= bytes.count,
            !thumbnail.overlaps(first), !thumbnail.overlaps(second),
            bytes[offset] == 0xFF, bytes[offset + 1] == 0xD8
        else { return nil }
        return thumbnail
    }

    /// Returns the range of a directory, or nil if the range is out of bounds.
    ///
    /// The range ends after the offset of the next directory.
    private func extent(ofDirectory start: Int) -> Range<Int>? {
        guard start >= Self.headerByteCount, let count = number(at: start, byteCount: 2) else {
            return nil
        }
        let end = start + 2 + 12 * count + 4
        return end <= bytes.count ? start..<end : nil
    }
}
