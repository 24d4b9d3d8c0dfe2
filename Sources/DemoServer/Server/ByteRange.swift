/// What a `Range` header asks of a body (RFC 9110, section 14).
enum ByteRange: Equatable {
    /// No range, one that can't be read, or several: the whole body (a server may ignore them).
    case whole
    /// One satisfiable range.
    case part(Range<Int>)
    /// A range that begins behind the end: status 416.
    case unsatisfiable

    /// Reads `bytes=first-last`, `bytes=first-` or `bytes=-count` for a body of `length` bytes.
    init(header: String?, length: Int) {
        self = .whole
        guard let header, header.hasPrefix("bytes="), !header.contains(",") else { return }
        let ends = header.dropFirst(6).split(
            separator: "-",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard ends.count == 2, !ends[0].hasPrefix("+"), !ends[1].hasPrefix("+") else { return }
        switch (Int(ends[0]), Int(ends[1])) {
        case (nil, let count?) where ends[0].isEmpty && count >= 0:
            self =
                count == 0 || length == 0
                ? .unsatisfiable : .part(max(0, length - count)..<length)
        case (let first?, nil) where ends[1].isEmpty:
            self = first < length ? .part(first..<length) : .unsatisfiable
        case (let first?, let last?) where first <= last:
            self = first < length ? .part(first..<min(last, length - 1) + 1) : .unsatisfiable
        default: return
        }
    }
}
