/// How a table of text is written (RFC 4180 with any delimiter): what its records and their fields are.
///
/// As Python's `csv` reads it: a field that begins with a quotation mark goes on to the next one that
/// isn't doubled, over line ends too; in other fields quotation marks mean nothing.
public struct TableDialect: Hashable, Sendable {
    /// What stands between fields.
    public let delimiter: UInt8

    /// The longest field in quotation marks; a longer one was never closed.
    public static let maximumQuotedByteCount = 1 << 20

    private static let quote = UInt8(ascii: "\"")

    /// Makes a dialect.
    public init(delimiter: UInt8) {
        self.delimiter = delimiter
    }

    /// That of a heading, by the delimiter it has most often: comma, semicolon or tab.
    ///
    /// Nil if it has none.
    public static func sniffed(fromHeading line: some Collection<UInt8>) -> TableDialect? {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in line {
            switch byte {
            case quote: isQuoted.toggle()
            case UInt8(ascii: ","), UInt8(ascii: ";"), 0x09:
                if !isQuoted { counts[byte, default: 0] += 1 }
            default: break
            }
        }
        let best = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
        return best.map { TableDialect(delimiter: $0.key) }
    }

    // MARK: - Records

    /// Where records begin.
    public struct Records: Sendable {
        /// The first byte of each.
        public fileprivate(set) var starts: [UInt32] = []
        /// Behind the last one that has its end; where the one begins of which more may come.
        public fileprivate(set) var end = 0
    }

    /// The records from a place on; empty lines are none.
    ///
    /// Where more bytes may come, only those that have their end. A field that is never closed ends
    /// with its line.
    public func records(
        _ bytes: UnsafeBufferPointer<UInt8>,
        from start: Int,
        isEnd: Bool
    ) -> Records {
        var records = Records()
        var quotes = ByteFinder(byte: Self.quote)
        var index = start
        records.end = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte == 0x0A || byte == 0x0D {
                index += 1
                continue
            }
            guard let end = recordEnd(bytes, from: index, isEnd, &quotes) else { break }
            records.starts.append(UInt32(truncatingIfNeeded: index))
            index = end
            records.end = end
        }
        if isEnd { records.end = bytes.count }
        return records
    }

    /// Behind the line end of a record; nil if that has not come.
    private func recordEnd(
        _ bytes: UnsafeBufferPointer<UInt8>,
        from start: Int,
        _ isEnd: Bool,
        _ quotes: inout ByteFinder
    ) -> Int? {
        var index = start
        while true {
            let line = bytes.place(of: 0x0A, from: index)
            var quote = quotes.next(bytes, from: index)
            // One in the middle of a field means nothing.
            while quote < line, quote > start, bytes[quote - 1] != delimiter {
                quote = quotes.next(bytes, from: quote + 1)
            }
            guard quote < line else {
                return line < bytes.count ? line + 1 : isEnd ? bytes.count : nil
            }
            if let end = quotedEnd(bytes, from: quote + 1, &quotes) {
                index = end
            } else if isEnd || bytes.count - quote > Self.maximumQuotedByteCount {
                // It has looked further than this line.
                quotes = ByteFinder(byte: Self.quote)
                return min(line + 1, bytes.count)
            } else {
                return nil
            }
        }
    }

    /// Behind the quotation mark that ends a field of which the inside begins at a place.
    private func quotedEnd(
        _ bytes: UnsafeBufferPointer<UInt8>,
        from start: Int,
        _ quotes: inout ByteFinder
    ) -> Int? {
        var index = start
        while true {
            let quote = quotes.next(bytes, from: index)
            guard quote < bytes.count, quote - start <= Self.maximumQuotedByteCount else {
                return nil
            }
            guard quote + 1 < bytes.count, bytes[quote + 1] == Self.quote else { return quote + 1 }
            index = quote + 2
        }
    }

    /// Finds a byte, and keeps where it was found for as long as that lies ahead.
    private struct ByteFinder {
        let byte: UInt8
        private var place = -1

        init(byte: UInt8) {
            self.byte = byte
        }

        mutating func next(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
            if place < start { place = bytes.place(of: byte, from: start) }
            return place
        }
    }

    // MARK: - Fields

    /// Where the fields of a record are, with their quotation marks; at most so many.
    public func fields(_ record: UnsafeBufferPointer<UInt8>, limit: Int = .max) -> [Range<Int>] {
        var fields: [Range<Int>] = []
        forEachField(record, limit: limit) { field in
            fields.append(field)
            return true
        }
        return fields
    }

    /// Calls `body` with where each of its first fields lies, until that returns false.
    ///
    /// Nothing is allocated: a search through a million records has no time for it.
    public func forEachField(
        _ record: UnsafeBufferPointer<UInt8>,
        limit: Int = .max,
        _ body: (Range<Int>) -> Bool
    ) {
        var quotes = ByteFinder(byte: Self.quote)
        var (start, count) = (0, 0)
        while count < limit {
            var inside = start
            if start < record.count, record[start] == Self.quote {
                inside = quotedEnd(record, from: start + 1, &quotes) ?? record.count
            }
            let end = record.place(of: delimiter, from: inside)
            guard body(start..<end), end < record.count else { return }
            (start, count) = (end + 1, count + 1)
        }
    }

    /// What a field holds.
    public static func content(_ field: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
        guard field.first == quote else { return Array(field) }
        var content: [UInt8] = []
        var rest = field.dropFirst()
        while let byte = rest.popFirst() {
            guard byte == quote else {
                content.append(byte)
                continue
            }
            guard rest.first == quote else { return content + rest }
            content.append(quote)
            rest.removeFirst()
        }
        return content
    }

    /// Whether a field begins with a quotation mark and is never closed.
    public static func isOpen(_ field: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard field.first == quote else { return false }
        var rest = field.dropFirst()
        while let place = rest.firstIndex(of: quote) {
            rest = rest[(place + 1)...]
            guard rest.first == quote else { return false }
            rest.removeFirst()
        }
        return true
    }
}
