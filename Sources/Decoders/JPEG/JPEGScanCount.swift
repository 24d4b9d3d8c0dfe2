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
