extension DecodingPlan {
    /// Refuses a JPEG of too many scans before the first is decoded.
    ///
    /// Of files that are not in order it counts fewer than libjpeg meets, which is held to the same
    /// limit while it reads.
    func checkScanCount(of file: [UInt8]) throws(DecodingError) {
        guard JPEGScanCount.count(in: file, upTo: maximumScanCount) <= maximumScanCount else {
            throw .tooManyScans(limit: maximumScanCount)
        }
    }
}

/// Counts the scans of a JPEG without decoding them: a search for 0xFF (memchr), some gigabytes a
/// second.
enum JPEGScanCount {
    /// The number of scans that begin in `file`; no more than one above `limit` are looked for.
    static func count(in file: [UInt8], upTo limit: Int) -> Int {
        var (offset, count) = (2, 0)
        while count <= limit, offset + 4 <= file.count, file[offset] == 0xFF {
            let marker = file[offset + 1]
            guard marker != 0xFF else {
                offset += 1
                continue
            }
            guard marker != 0xD9 else { break }
            offset += 2 + (Int(file[offset + 2]) << 8 | Int(file[offset + 3]))
            guard marker == 0xDA else { continue }
            count += 1
            guard let end = DCScanSearch.end(of: file, from: offset) else { break }
            offset = end
        }
        return count
    }
}
