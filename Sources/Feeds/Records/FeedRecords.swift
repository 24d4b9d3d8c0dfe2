/// The records of a table or of a list of JSON values: the bytes, and the start of each record.
///
/// Records are not parsed here, so a million records need only their bytes and 4 more bytes per
/// record.
package struct FeedRecords: Sendable {
    /// The format of a record.
    package enum Format: Hashable, Sendable {
        /// A JSON value on its own line.
        case jsonLines
        /// An element of a JSON array.
        case jsonElements
        /// A row of a table.
        case rows(TableDialect)
    }

    package let format: Format
    private let bytes: [UInt8]
    private let starts: [UInt32]
    /// The offset at which the last record ends.
    private let end: Int
    /// Whether the JSON array is incomplete.
    package let isCut: Bool

    /// Creates the records of a complete feed of at most 4 GiB, including the heading of a table.
    package init(_ bytes: [UInt8], _ format: Format) {
        let found = bytes.withUnsafeBufferPointer { buffer in
            let start = FeedFormat.markByteCount(of: buffer)
            return Self.find(buffer, from: start, format, isEnd: true)
        }
        self.init(bytes, format, found: found)
    }

    /// Creates the list of complete records at the start of a stream.
    ///
    /// Sets `byteCount` to their total length in bytes.
    package init(_ bytes: [UInt8], arriving format: Format, byteCount: inout Int) {
        let found = bytes.withUnsafeBufferPointer {
            Self.find($0, from: 0, format, isEnd: false)
        }
        byteCount = found.end
        self.init(bytes, format, found: found)
    }

    private init(_ bytes: [UInt8], _ format: Format, found: Found) {
        self.bytes = bytes
        self.format = format
        (starts, end, isCut) = (found.starts, found.end, found.isCut)
    }

    private struct Found {
        var starts: [UInt32] = []
        var end = 0
        var isCut = false
    }

    private static func find(
        _ buffer: UnsafeBufferPointer<UInt8>,
        from start: Int,
        _ format: Format,
        isEnd: Bool
    ) -> Found {
        switch format {
        case .jsonLines:
            return lines(buffer, from: start, isEnd: isEnd)
        case .jsonElements:
            let elements = JSONText.elements(
                buffer,
                ofArrayAt: JSONText.skippingSpace(buffer, from: start)
            )
            return Found(starts: elements.starts, end: elements.end, isCut: !elements.isWhole)
        case .rows(let dialect):
            // The byte order mark of a stream has not been removed yet.
            let mark = start + FeedFormat.markByteCount(of: buffer[start...])
            let first = TableDialect.named(in: buffer, from: mark)?.end ?? start
            let records = dialect.records(buffer, from: first, isEnd: isEnd)
            return Found(starts: records.starts, end: records.end)
        }
    }

    private static func lines(
        _ buffer: UnsafeBufferPointer<UInt8>,
        from start: Int,
        isEnd: Bool
    ) -> Found {
        var found = Found(end: start)
        var index = start
        while index < buffer.count {
            let first = JSONText.skippingSpace(buffer, from: index)
            guard first < buffer.count else { break }
            let end = FeedLines.lineEnd(buffer, from: first)
            guard end < buffer.count || isEnd else { break }
            found.starts.append(UInt32(truncatingIfNeeded: first))
            index = end + 1
            found.end = min(index, buffer.count)
        }
        return found
    }

    package var count: Int { starts.count }

    /// The records without the heading, which is the first record.
    package var withoutHeading: FeedRecords {
        let found = Found(starts: Array(starts.dropFirst()), end: end, isCut: isCut)
        return FeedRecords(bytes, format, found: found)
    }

    /// Calls `body` with all bytes, including those between the records.
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        bytes.withUnsafeBufferPointer(body)
    }

    /// Returns the position at which a record starts.
    package func start(of record: Int) -> Int { Int(starts[record]) }

    /// Returns the position at which a record ends, without the separator.
    package func end(of record: Int, in buffer: UnsafeBufferPointer<UInt8>) -> Int {
        let start = Int(starts[record])
        var end = record + 1 < starts.count ? Int(starts[record + 1]) : end
        while end > start, isBetween(buffer[end - 1]) { end -= 1 }
        return end
    }

    private func isBetween(_ byte: UInt8) -> Bool {
        switch format {
        case .rows: byte == 0x0A || byte == 0x0D
        case .jsonLines: byte == 0x0A || byte == 0x0D || byte == 0x20 || byte == 0x09
        case .jsonElements:
            byte == 0x0A || byte == 0x0D || byte == 0x20 || byte == 0x09 || byte == 0x2C
        }
    }

    /// Returns the index of the last record that starts at or before a position, starting the
    /// search at record `first`.
    package func record(at place: Int, from first: Int) -> Int {
        FeedLines.last(of: starts, notBehind: place, from: first)
    }

    /// Calls `body` with the bytes of a record.
    package func withRecord<Result>(
        _ index: Int,
        _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        bytes.withUnsafeBufferPointer { buffer in
            let range = start(of: index)..<end(of: index, in: buffer)
            return body(UnsafeBufferPointer(rebasing: buffer[range]))
        }
    }
}
