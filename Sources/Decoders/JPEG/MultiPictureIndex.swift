/// The index of a file that contains several JPEGs in a row (CIPA DC-007, Multi-Picture Format).
///
/// Cameras add smaller versions of the first image to the file. The index contains their offsets.
///
/// The index is a TIFF file in a segment of the first JPEG. One of its tags contains a 16-byte
/// entry for each image (the numbers in parentheses are sizes in bits):
///
///     attributes (32) | bytes (32) | offset from the TIFF header (32), 0 for the first | … (32)
struct MultiPictureIndex {
    private static let entriesTag = 0xB002
    private static let entryByteCount = 16
    private static let maximumEntryCount = 16
    /// The mask for the image type in the low bits of the attributes.
    private static let kindMask = 0xFF_FFFF
    /// The "large thumbnail" types in VGA and full HD size.
    private static let previewKinds: Set = [0x01_0001, 0x01_0002]

    /// Returns the ranges of the previews in the file, smallest first.
    ///
    /// `segment` starts with the TIFF header, which is at `offset` in the file.
    static func previews(in segment: [UInt8], at offset: Int) -> [Range<Int>] {
        guard let parser = EXIFParser(segment),
            let directory = parser.number(at: 4, byteCount: 4),
            let entries = parser.block(ofTag: entriesTag, in: directory)
        else { return [] }
        let count = min(entries.count / entryByteCount, maximumEntryCount)
        let previews = (0..<count).compactMap { index -> Range<Int>? in
            let entry = entries.lowerBound + index * entryByteCount
            guard let attributes = parser.number(at: entry, byteCount: 4),
                previewKinds.contains(attributes & kindMask),
                let byteCount = parser.number(at: entry + 4, byteCount: 4), byteCount > 0,
                let start = parser.number(at: entry + 8, byteCount: 4), start > 0
            else { return nil }
            return offset + start..<offset + start + byteCount
        }
        return previews.sorted { $0.count < $1.count }
    }
}
