/// The thumbnail that cameras embed: a JPEG that the second directory tells of (EXIF 2.3, section
/// 4.5.8).
extension EXIFParser {
    private static let compressionTag = 0x0103
    private static let offsetTag = 0x0201
    private static let byteCountTag = 0x0202
    /// The old JPEG compression of TIFF.
    private static let jpegCompression = 6
    private static let headerByteCount = 8

    /// Where the thumbnail lies in `bytes`, which start with the TIFF header; nil if there is none.
    static func thumbnail(in bytes: [UInt8]) -> Range<Int>? {
        EXIFParser(bytes)?.thumbnail()
    }

    /// Both directories and the thumbnail lie apart from each other: who lets them overlap, or a
    /// directory follow itself, wants no thumbnail to be seen.
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

    /// The bytes of a directory, with the offset of the next one; nil if they don't lie within.
    private func extent(ofDirectory start: Int) -> Range<Int>? {
        guard start >= Self.headerByteCount, let count = number(at: start, byteCount: 2) else {
            return nil
        }
        let end = start + 2 + 12 * count + 4
        return end <= bytes.count ? start..<end : nil
    }
}
