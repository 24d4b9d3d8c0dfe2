extension DecodingPlan {
    /// Refuses a JPEG of too many scans before the first is decoded.
    ///
    /// libjpeg is held to the same limit while it reads, in case it finds more.
    func checkScanCount(of file: UnsafeBufferPointer<UInt8>) throws(DecodingError) {
        guard JPEGScanCount.count(in: file, upTo: maximumScanCount) <= maximumScanCount else {
            throw .tooManyScans(limit: maximumScanCount)
        }
    }
}

/// Counts the scans of a JPEG without decoding them, as fast as 0xFF are found.
enum JPEGScanCount {
    /// The number of scans that begin in `file`; no more than one above `limit` are looked for.
    static func count(in file: UnsafeBufferPointer<UInt8>, upTo limit: Int) -> Int {
        var segments = JPEGSegments(file)
        var count = 0
        while count <= limit, let segment = segments.next() {
            if segment.marker == 0xDA { count += 1 }
        }
        return count
    }
}
