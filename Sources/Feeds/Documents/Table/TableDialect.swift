/// The syntax of records and fields in a text table (RFC 4180 with any delimiter).
///
/// The rules are those of Python's `csv` module. If a field starts with a quotation mark, it ends
/// at the next quotation mark that is not doubled, and may contain line ends. In other fields,
/// quotation marks have no special meaning.
package struct TableDialect: Hashable, Sendable {
    /// The byte between fields.
    package let delimiter: UInt8

    /// The maximum length of a quoted field in bytes; a longer field is assumed to be unclosed.
    package static let maximumQuotedByteCount = 1 << 20

    private static let quote = UInt8(ascii: "\"")

    package init(delimiter: UInt8) {
        self.delimiter = delimiter
    }

    /// Returns the dialect for the most frequent delimiter in a heading (comma, semicolon or tab),
    /// or nil if the heading contains none of them.
    package static func sniffed(fromHeading line: some Collection<UInt8>) -> TableDialect? {
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

    /// Returns the dialect that the first line specifies for spreadsheets ("sep=;"), and the
    /// position after that line, or nil if the first line does not specify a delimiter.
    package static func named(
        in bytes: UnsafeBufferPointer<UInt8>,
        from start: Int
    ) -> (dialect: TableDialect, end: Int)? {
        let end = bytes.place(of: 0x0A, from: start)
        guard start < end, end - start <= 16 else { return nil }
        var line = bytes[start..<end]
        if line.last == 0x0D { line.removeLast() }
        if line.first == quote, line.last == quote, line.count > 1 {
            line = line.dropFirst().dropLast()
        }
        guard line.count == 5, let delimiter = line.last, delimiter < 0x80, delimiter != quote,
            line.prefix(4).map(\.lowercasedASCII) == Array("sep=".utf8)
        else { return nil }
        return (TableDialect(delimiter: delimiter), min(end + 1, bytes.count))
    }

    // MARK: - Records

    /// The positions of the records in a table.
    package struct Records: Sendable {
        /// The position of the first byte of each record.
        package fileprivate(set) var starts: [UInt32] = []
        /// The position after the last complete record, where an incomplete record may start.
        package fileprivate(set) var end = 0
    }

    /// Returns the positions of the records starting at `start`; empty lines are skipped.
    ///
    /// If more bytes may follow, only complete records are returned. A quoted field that is never
    /// closed ends with its line.
    package func records(
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
            guard let end = recordEnd(bytes, from: index, isEnd: isEnd, quotes: &quotes) else {
                break
            }
            records.starts.append(UInt32(truncatingIfNeeded: index))
            index = end
            records.end = end
        }
        if isEnd { records.end = bytes.count }
        return records
    }

    /// Returns the position after the line end of a record, or nil if the record is incomplete.
    private func recordEnd(
        _ bytes: UnsafeBufferPointer<UInt8>,
        from start: Int,
        isEnd: Bool,
        quotes: inout ByteFinder
    ) -> Int? {
        var index = start
        while true {
            let line = bytes.place(of: 0x0A, from: index)
            var quote = quotes.next(bytes, from: index)
            // A quotation mark inside a field has no special meaning.
            while quote < line, quote > start, bytes[quote - 1] != delimiter {
                quote = quotes.next(bytes, from: quote + 1)
            }
            guard quote < line else {
                return line < bytes.count ? line + 1 : isEnd ? bytes.count : nil
            }
            if let end = quotedEnd(bytes, from: quote + 1, &quotes) {
                index = end
            } else if isEnd || bytes.count - quote > Self.maximumQuotedByteCount {
                // The finder has searched beyond this line, so it must start over.
                quotes = ByteFinder(byte: Self.quote)
                return min(line + 1, bytes.count)
            } else {
                return nil
            }
        }
    }

    /// Returns the position after the closing quotation mark of a field whose content starts at
    /// `start`.
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

    /// Finds a byte and reuses its last position until the search has passed it.
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

    /// Returns the ranges of a record's first `limit` fields, including quotation marks.
    package func fields(_ record: UnsafeBufferPointer<UInt8>, limit: Int = .max) -> [Range<Int>] {
        var fields: [Range<Int>] = []
        forEachField(record, limit: limit) { field in
            fields.append(field)
            return true
        }
        return fields
    }

    /// Calls `body` with the range of each field, up to `limit` fields, until `body` returns false.
    ///
    /// The method does not allocate memory, which would be too slow for searching a million
    /// records.
    package func forEachField(
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

    /// Returns the content of a field without quotation marks.
    package static func content(_ field: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
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

    /// Returns whether a field starts with a quotation mark and is never closed.
    package static func isOpen(_ field: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
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
