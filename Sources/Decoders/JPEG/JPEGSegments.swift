internal import Glibc

/// An iterator that finds the segments of a JPEG without decoding the image.
///
/// The iteration returns each marker that has a body, with the range of the body. Like libjpeg, it
/// skips coded data, fill bytes and garbage between segments. A reader that accepts only valid
/// files checks `isInOrder` after each step.
///
/// The iteration stores no bytes of the file. When more of the file has been received, it continues
/// where it stopped. All lengths are untrusted: a segment that extends past the end of the file is
/// not returned.
struct JPEGSegments {
    struct Segment: Equatable {
        let marker: UInt8
        /// The range of the bytes after the length field.
        let body: Range<Int>

        /// Whether the segment is the header of a scan; coded data follows it.
        var isScan: Bool { marker == 0xDA }
    }

    enum Step: Equatable {
        case segment(Segment)
        case endMarker
        /// The file ends before the next marker or inside its segment.
        case endOfFile
        /// A segment declares a length of less than 2 bytes, the size of the length field itself.
        case damage
    }

    /// The offset at which reading continues; initially after the start marker.
    private var offset = 2
    /// Whether `offset` is in the coded data of a scan.
    private(set) var isInCodedData = false
    /// Whether the file up to `offset` contains only segments, coded data and fill bytes.
    private(set) var isInOrder = true
    /// Whether any marker was preceded by fill bytes.
    private(set) var hasFillBytes = false

    /// The offset of a scan's coded data.
    ///
    /// Valid only directly after `next(in:)` has returned the header of the scan.
    var codedDataOffset: Int { offset }

    /// Continues at `end`, the offset of the marker that a decoder found after the coded data.
    mutating func skipCodedData(to end: Int) { offset = end }

    /// Returns the next segment of `file`, which must start with all bytes passed in earlier calls.
    ///
    /// At the end marker or at the end of the file, further calls return the same result.
    mutating func next(in file: UnsafeBufferPointer<UInt8>) -> Step {
        guard let marker = findMarker(in: file) else { return .endOfFile }
        isInCodedData = false
        guard marker != 0xD9 else { return .endMarker }
        isInOrder = isInOrder && marker >= 0xC0
        guard offset + 4 <= file.count else { return .endOfFile }
        let length = Int(file[offset + 2]) << 8 | Int(file[offset + 3])
        guard length >= 2 else { return .damage }
        guard length <= file.count - offset - 2 else { return .endOfFile }
        let segment = Segment(marker: marker, body: offset + 4..<offset + 2 + length)
        offset = segment.body.upperBound
        isInCodedData = segment.isScan
        return .segment(segment)
    }

    /// Moves to the next marker that has a body or ends the image; returns nil at the end of the
    /// file.
    private mutating func findMarker(in file: UnsafeBufferPointer<UInt8>) -> UInt8? {
        guard let start = file.baseAddress else { return nil }
        while offset < file.count {
            let found = memchr(start + offset, 0xFF, file.count - offset)
            let place = found.map { UnsafeRawPointer($0) - UnsafeRawPointer(start) } ?? file.count
            isInOrder = isInOrder && (isInCodedData || place == offset)
            offset = place
            guard place + 1 < file.count else { return nil }
            switch file[place + 1] {
            case 0xFF:
                hasFillBytes = true
                offset += 1
            // A stuffed 0xFF or a restart marker.
            case 0, 0xD0...0xD7:
                isInOrder = isInOrder && isInCodedData
                offset += 2
            // The only reserved marker without a body, or a second start marker.
            case 0x01, 0xD8:
                isInOrder = false
                offset += 2
            case let marker: return marker
            }
        }
        return nil
    }
}

/// Counts the scans in a JPEG by searching for 0xFF bytes, without decoding the scans.
struct JPEGScanCount {
    /// The number of scans that start in the file.
    private(set) var count = 0
    /// Whether the file has an end marker and all scans have valid coefficient ranges.
    let isWhole: Bool

    /// Counts the scans; stops when the count exceeds `limit`.
    ///
    /// Counting starts at the first scan that `header` found.
    init(
        in file: UnsafeBufferPointer<UInt8>,
        after header: JPEGHeaderSegments,
        upTo limit: Int
    ) {
        var segments = header.segments
        var step = header.firstScan.map { JPEGSegments.Step.segment($0) } ?? segments.next(in: file)
        var isInOrder = true
        while count <= limit, case .segment(let segment) = step {
            if segment.isScan {
                count += 1
                // The last three bytes of the segment are the first coefficient, the last
                // coefficient and the range of bits.
                let band = file[segment.body].suffix(3).prefix(2)
                let last = band.last ?? 0
                isInOrder = isInOrder && band.count == 2 && band.first ?? 0 <= last && last < 64
            }
            step = segments.next(in: file)
        }
        isWhole = step == .endMarker && isInOrder
    }
}

extension DecodingPlan {
    /// Throws if a JPEG has too many scans; called before the first scan is decoded.
    ///
    /// The limit is checked again while libjpeg reads, because libjpeg may find more scans.
    func checkScans(
        of file: UnsafeBufferPointer<UInt8>,
        after header: JPEGHeaderSegments
    ) throws(ImageDecodingError) -> JPEGScanCount {
        let scans = JPEGScanCount(in: file, after: header, upTo: maximumScanCount)
        guard scans.count <= maximumScanCount else {
            throw .tooManyScans(limit: maximumScanCount)
        }
        return scans
    }
}
