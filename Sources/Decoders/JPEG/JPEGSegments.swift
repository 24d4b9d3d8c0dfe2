internal import Glibc

/// Walks the segments of a JPEG without decoding it: every marker that has a body, with the place of
/// the body.
///
/// Goes over what libjpeg goes over: fill bytes and garbage between segments. Every length comes
/// from outside; a segment that reaches past the end ends the walk.
struct JPEGSegments {
    struct Segment {
        let marker: UInt8
        /// Behind the length.
        let body: Range<Int>
    }

    private let file: UnsafeBufferPointer<UInt8>
    private var offset = 2
    /// Whether the walk is over because the end marker came.
    private(set) var isAtEndMarker = false

    init(_ file: UnsafeBufferPointer<UInt8>) { self.file = file }

    /// The next segment; nil at the end marker or the end of the file.
    ///
    /// Behind the header of a scan the search goes on in its data, for a marker that is none of
    /// theirs.
    mutating func next() -> Segment? {
        while let marker = nextMarker() {
            isAtEndMarker = marker == 0xD9
            guard !isAtEndMarker else { return nil }
            // A stuffed 0xFF, a restart, a second start, or the one reserved marker without body.
            guard marker > 0x01, !(0xD0...0xD8).contains(marker) else { continue }
            guard offset + 2 <= file.count else { return nil }
            let length = Int(file[offset]) << 8 | Int(file[offset + 1])
            guard length >= 2, length <= file.count - offset else { return nil }
            let body = offset + 2..<offset + length
            offset += length
            return Segment(marker: marker, body: body)
        }
        return nil
    }

    private mutating func nextMarker() -> UInt8? {
        guard let start = file.baseAddress else { return nil }
        while offset < file.count, let found = memchr(start + offset, 0xFF, file.count - offset) {
            offset = UnsafeRawPointer(found) - UnsafeRawPointer(start) + 1
            while offset < file.count, file[offset] == 0xFF { offset += 1 }
            guard offset < file.count else { return nil }
            offset += 1
            return file[offset - 1]
        }
        return nil
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether `text` stands at `offset`.
    func has(_ text: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, offset <= count - text.utf8CodeUnitCount else { return false }
        return (0..<text.utf8CodeUnitCount).allSatisfy { self[offset + $0] == text.utf8Start[$0] }
    }
}

extension DecodingPlan {
    /// Refuses a JPEG of too many scans before the first is decoded.
    ///
    /// libjpeg is held to the same limit while it reads, in case it finds more.
    func checkScans(of file: UnsafeBufferPointer<UInt8>) throws(ImageDecodingError) -> JPEGScanCount
    {
        let scans = JPEGScanCount(in: file, upTo: maximumScanCount)
        guard scans.count <= maximumScanCount else {
            throw .tooManyScans(limit: maximumScanCount)
        }
        return scans
    }
}

/// The scans of a JPEG, counted without decoding them, as fast as 0xFF are found.
struct JPEGScanCount {
    /// The number of scans that begin in the file.
    private(set) var count = 0
    /// Whether the end marker stands behind them, and none asks for coefficients that are none.
    let isWhole: Bool

    /// Looks at the markers of `file`; of scans, no further than to one above `limit`.
    init(in file: UnsafeBufferPointer<UInt8>, upTo limit: Int) {
        var segments = JPEGSegments(file)
        var isInOrder = true
        while count <= limit, let segment = segments.next() {
            guard segment.marker == 0xDA else { continue }
            count += 1
            // The last three bytes: the first and the last coefficient, and which bits of them.
            let band = file[segment.body].suffix(3).prefix(2)
            let last = band.last ?? 0
            isInOrder = isInOrder && band.count == 2 && band.first ?? 0 <= last && last < 64
        }
        isWhole = segments.isAtEndMarker && isInOrder
    }
}
