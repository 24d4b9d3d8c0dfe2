/// What the segments before the first scan of a JPEG say, collected in one walk.
///
/// libjpeg reads them too, and judges them; it hands out none of this.
struct JPEGHeaderSegments {
    let metadata: JPEGMetadata
    /// For the DC path; nil if they were not asked for.
    let tables: JPEGTables?
    /// The header of the first scan; nil if there is none.
    let firstScan: JPEGSegments.Segment?
    /// The walk, to be continued behind `firstScan`.
    let segments: JPEGSegments

    /// Walks up to the first scan of `file`, which must outlive the value.
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

/// What a JPEG holds beside the pixels: EXIF, the colour profile, and of how many components the
/// picture is.
///
/// Holds places in the file, so that a file full of such segments costs no memory.
struct JPEGMetadata {
    /// The most parts a profile can come in: they are numbered with one byte (ICC.1:2022, annex B.4).
    private static let maximumPartCount = 255

    /// A TIFF block; the first of several.
    private(set) var exif: Range<Int>?
    /// A TIFF block too, that tells of further JPEGs behind the picture.
    private var index: Range<Int>?
    /// From the frame header; 0 before it.
    private(set) var componentCount = 0
    /// The parts of the profile by number, from 1.
    private var parts: [Int: Range<Int>] = [:]
    /// How many parts the first one says there are.
    private var partCount: Int?
    private var isProfileBroken = false
    private let file: UnsafeBufferPointer<UInt8>

    /// Nothing yet, of `file`, which must outlive the value.
    init(_ file: UnsafeBufferPointer<UInt8>) { self.file = file }

    /// How the picture is shown.
    var orientation: Orientation {
        exif.map { EXIFParser.orientation(in: Array(file[$0])) } ?? .upright
    }

    /// The JPEG inside of the EXIF; nil if there is none.
    var thumbnail: UnsafeBufferPointer<UInt8>? {
        guard let exif else { return nil }
        return EXIFParser.thumbnail(in: Array(file[exif])).map { range in
            UnsafeBufferPointer(
                rebasing: file[exif.dropFirst(range.lowerBound).prefix(range.count)]
            )
        }
    }

    /// The JPEGs behind the picture that show the same, as far as the file has come; the smallest first.
    ///
    /// None if something says that they are of another picture than one of `size` pixels.
    func previews(of size: PixelSize) -> [UnsafeBufferPointer<UInt8>] {
        guard let index, let exif,
            EXIFParser.arePreviewsCurrent(in: Array(file[exif]), for: size)
        else { return [] }
        return MultiPictureIndex.previews(in: Array(file[index]), at: index.lowerBound)
            .map { $0.clamped(to: 0..<file.count) }
            .map { UnsafeBufferPointer(rebasing: file[$0]) }
    }

    /// Whether nothing says that `thumbnail` is of another picture than one of `size` pixels.
    func isThumbnailCurrent(for size: PixelSize) -> Bool {
        exif.map { EXIFParser.isThumbnailCurrent(in: Array(file[$0]), for: size) } ?? false
    }

    /// The bytes of the profile; nil if there is none, or not all of it.
    func profile(limit: Int) throws(ImageDecodingError) -> [UInt8]? {
        guard !isProfileBroken, let partCount, parts.count == partCount else { return nil }
        let byteCount = parts.values.reduce(0) { $0 + $1.count }
        guard byteCount <= limit else {
            throw .tooMuchMetadata(byteCount: byteCount, limit: limit)
        }
        return (1...partCount).flatMap { file[parts[$0] ?? 0..<0] }
    }

    /// Takes note of what `segment` says.
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

    /// Takes note of a part, in any order.
    ///
    /// One that is missing, comes twice or disagrees about their number makes the whole profile
    /// worthless.
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
    /// Whether `text` stands at `offset`.
    func has(_ text: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, offset <= count - text.utf8CodeUnitCount else { return false }
        return (0..<text.utf8CodeUnitCount).allSatisfy { self[offset + $0] == text.utf8Start[$0] }
    }
}
