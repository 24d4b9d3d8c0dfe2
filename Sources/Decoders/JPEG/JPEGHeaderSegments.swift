/// The contents of the segments before the first scan of a JPEG, read in one pass.
///
/// libjpeg also reads and validates these segments but does not expose their contents.
struct JPEGHeaderSegments {
    let metadata: JPEGMetadata
    /// The tables for `DCDecoder`, or nil if they were not requested.
    let tables: JPEGTables?
    /// The header of the first scan, or nil if the file has no scan.
    let firstScan: JPEGSegments.Segment?
    /// The iterator over the segments, which can continue after `firstScan`.
    let segments: JPEGSegments

    /// Reads the segments of `file` up to its first scan.
    ///
    /// The memory of `file` must outlive this value.
    init(_ file: UnsafeBufferPointer<UInt8>, readsTables: Bool = false) {
        var metadata = JPEGMetadata(file)
        var tables = readsTables ? JPEGTables() : nil
        var segments = JPEGSegments()
        var firstScan: JPEGSegments.Segment?
        while firstScan == nil, case .segment(let segment) = segments.next(in: file) {
            if segment.isScan {
                firstScan = segment
            } else {
                metadata.add(segment)
                tables?.read(segment, in: file)
            }
        }
        self.metadata = metadata
        self.tables = tables
        self.firstScan = firstScan
        self.segments = segments
    }
}

/// The metadata of a JPEG: EXIF, color profile, preview index and number of components.
///
/// Only ranges in the file are stored, so a file full of metadata segments needs no more memory.
struct JPEGMetadata {
    /// The range of the first EXIF block, which is a TIFF file.
    private(set) var exif: Range<Int>?
    /// The range of the index of the smaller JPEGs after the image; the index is also a TIFF file.
    private var index: Range<Int>?
    /// The number of components in the frame header; 0 until the frame header is read.
    private(set) var componentCount = 0
    /// The parts of the profile by number, starting at 1; the number is one byte (ICC.1:2022, annex
    /// B.4).
    private var parts: [Int: Range<Int>] = [:]
    /// The total number of parts, as declared by the first part.
    private var partCount: Int?
    private var isProfileBroken = false
    private let file: UnsafeBufferPointer<UInt8>

    /// Creates an empty record for `file`, which must outlive the record.
    init(_ file: UnsafeBufferPointer<UInt8>) { self.file = file }

    var orientation: Orientation {
        exif.map { EXIFParser.orientation(in: Array(file[$0])) } ?? .upright
    }

    /// The JPEG thumbnail in the EXIF block, or nil if the file has no thumbnail.
    var thumbnail: UnsafeBufferPointer<UInt8>? {
        guard let exif else { return nil }
        return EXIFParser.thumbnail(in: Array(file[exif])).map { range in
            UnsafeBufferPointer(
                rebasing: file[exif.dropFirst(range.lowerBound).prefix(range.count)]
            )
        }
    }

    /// Returns the smaller JPEGs after the image that show the same content, smallest first.
    ///
    /// `size` is the size of the image. If anything indicates that the JPEGs show a different
    /// image, returns an empty array. A JPEG that extends past the end of the file is cut off
    /// there.
    func previews(of size: PixelSize) -> [UnsafeBufferPointer<UInt8>] {
        guard let index, let exif,
            EXIFParser.arePreviewsCurrent(in: Array(file[exif]), for: size)
        else { return [] }
        return MultiPictureIndex.previews(in: Array(file[index]), at: index.lowerBound)
            .map { $0.clamped(to: 0..<file.count) }
            .map { UnsafeBufferPointer(rebasing: file[$0]) }
    }

    /// Returns whether `thumbnail` seems to show the same image as the file.
    ///
    /// `size` is the size of the image.
    func isThumbnailCurrent(for size: PixelSize) -> Bool {
        exif.map { EXIFParser.isThumbnailCurrent(in: Array(file[$0]), for: size) } ?? false
    }

    /// Returns the color profile, or nil if it is missing or incomplete.
    ///
    /// Throws if the profile has more than `limit` bytes.
    func profile(limit: Int) throws(ImageDecodingError) -> [UInt8]? {
        guard !isProfileBroken, let partCount, parts.count == partCount else { return nil }
        let byteCount = parts.values.reduce(0) { $0 + $1.count }
        guard byteCount <= limit else {
            throw .tooMuchMetadata(byteCount: byteCount, limit: limit)
        }
        return (1...partCount).flatMap { file[parts[$0] ?? 0..<0] }
    }

    /// Records the contents of `segment`.
    mutating func add(_ segment: JPEGSegments.Segment) {
        let body = segment.body
        switch segment.marker {
        case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(segment.marker):
            if body.count >= 6 { componentCount = Int(file[body.lowerBound + 5]) }
        case 0xE1 where exif == nil && body.count >= 6 && file.has("Exif\0\0", at: body.lowerBound):
            exif = body.dropFirst(6)
        case 0xE2 where index == nil && body.count >= 4 && file.has("MPF\0", at: body.lowerBound):
            index = body.dropFirst(4)
        case 0xE2 where body.count >= 14 && file.has("ICC_PROFILE\0", at: body.lowerBound):
            addPart(body)
        default: break
        }
    }

    /// Records a part of the profile; the parts may be in any order.
    ///
    /// If a part is missing or duplicated, has an invalid number, or declares a different number of
    /// parts, the entire profile is unusable.
    private mutating func addPart(_ body: Range<Int>) {
        let (number, count) = (Int(file[body.lowerBound + 12]), Int(file[body.lowerBound + 13]))
        guard number >= 1, number <= count, count == partCount ?? count, parts[number] == nil else {
            return isProfileBroken = true
        }
        partCount = count
        parts[number] = body.dropFirst(14)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns whether the bytes at `offset` are `text`.
    func has(_ text: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, offset <= count - text.utf8CodeUnitCount else { return false }
        return (0..<text.utf8CodeUnitCount).allSatisfy { self[offset + $0] == text.utf8Start[$0] }
    }
}
