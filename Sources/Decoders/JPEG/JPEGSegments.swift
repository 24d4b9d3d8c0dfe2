internal import Glibc

/// Walks the segments of a JPEG without decoding it: every marker that has a body, with the place of
/// the body.
///
/// Goes over what libjpeg goes over: coded data, fill bytes, garbage between segments. A reader that
/// takes only what is in order asks `isInOrder` after each step. The walk holds no bytes, so it goes
/// on where it stopped when more of a file has come. Every length comes from outside; a segment that
/// reaches past the end of the file is not handed out.
struct JPEGSegments {
    struct Segment: Equatable {
        let marker: UInt8
        /// Behind the length.
        let body: Range<Int>

        /// Whether it is the header of a scan, behind which coded data follow.
        var isScan: Bool { marker == 0xDA }
    }

    enum Step: Equatable {
        case segment(Segment)
        case endMarker
        /// The file ends before the next marker or inside of its segment.
        case endOfFile
        /// A segment that is shorter than its own length.
        case damage
    }

    /// Where to read on; behind the start marker at first.
    private var offset = 2
    /// Whether `offset` is in the coded data of a scan, whose end is not found yet.
    private(set) var isInCodedData = false
    /// Whether nothing stands in the file so far but segments, coded data and fill bytes.
    private(set) var isInOrder = true
    /// Whether fill bytes stand before any of the markers.
    private(set) var hasFillBytes = false

    /// Where the coded data start, right behind the header of a scan.
    var codedDataOffset: Int { offset }

    /// Goes on at the marker that a decoder has found behind the coded data.
    mutating func skipCodedData(to end: Int) { offset = end }

    /// The next segment of `file`, which begins with all bytes that were handed in before.
    ///
    /// After the end marker and at the end of the file it stays there.
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

    /// Moves to the next marker that has a body or ends the picture; nil if the file ends before.
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
            // A stuffed 0xFF, a restart.
            case 0, 0xD0...0xD7:
                isInOrder = isInOrder && isInCodedData
                offset += 2
            // The one reserved marker without a body, a second start.
            case 0x01, 0xD8:
                isInOrder = false
                offset += 2
            case let marker: return marker
            }
        }
        return nil
    }
}

/// The scans of a JPEG, counted without decoding them, as fast as 0xFF are found.
struct JPEGScanCount {
    /// The number of scans that begin in the file.
    private(set) var count = 0
    /// Whether the end marker stands behind them, and none asks for coefficients that are none.
    let isWhole: Bool

    /// Goes on behind `header`; of scans, no further than to one above `limit`.
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
                // The last three bytes: the first and the last coefficient, and which bits of them.
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
    /// Refuses a JPEG of too many scans before the first is decoded.
    ///
    /// libjpeg is held to the same limit while it reads, in case it finds more.
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
