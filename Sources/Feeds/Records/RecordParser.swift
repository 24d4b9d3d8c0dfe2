import ImageLoading
import SystemSupport

/// Parses the records of a feed.
package struct RecordParser: Sendable {
    /// The maximum length of a record in bytes.
    package static let maximumRecordByteCount = 2 << 20
    /// The maximum number of columns; the rest are ignored.
    package static let maximumColumnCount = 10_000
    /// The limits for one record; a record is parsed each time its item is requested.
    package static let limits = JSONLimits(
        byteCount: maximumRecordByteCount,
        valueCount: 1 << 16,
        depth: 128
    )
    /// The maximum length of a caption in characters.
    ///
    /// Each frame measures its captions, so long captions would slow down drawing.
    private static let maximumCaptionLength = 2000

    package let layout: RecordLayout
    /// The parser that determines which URLs are permitted.
    package let lineParser: FeedLineParser

    /// Returns the item for a record that starts at byte `place` of the feed.
    package func item(_ record: UnsafeBufferPointer<UInt8>, at place: Int) -> FeedItem {
        guard record.count <= Self.maximumRecordByteCount else {
            return failed(at: place, "record is longer than 2 MiB")
        }
        switch layout {
        case .object(let url, let caption):
            do throws(JSONFault) {
                let value = try JSONValue(parsing: record, limits: Self.limits)
                var item = item(value, url: url, caption: caption, at: place)
                let except = [url, caption].compactMap { $0?.text }
                item.details = RecordDetails.details(
                    of: Self.members(of: value, except: except).map { ($0.name, $0.value) }
                )
                return item
            } catch {
                return failed(at: place, error.description)
            }
        case .row(let dialect, let columns, let url, let caption):
            let row = TableRow(record, dialect: dialect, columns: columns)
            return item(row, url: url, caption: caption, at: place)
        }
    }

    private func item(
        _ record: JSONValue,
        url: RecordPath,
        caption: RecordPath?,
        at place: Int
    ) -> FeedItem {
        guard let value = url.value(in: record) else {
            return failed(at: place, "it has no field \"\(RecordLayoutFinder.shown(url.text))\"")
        }
        guard let target = value.string else {
            let name = RecordLayoutFinder.shown(url.text)
            return failed(at: place, "\"\(name)\" is not a string")
        }
        return item(target, caption?.value(in: record)?.text, at: place)
    }

    private static func members(of record: JSONValue, except: [String]) -> [JSONValue.Member] {
        (record.members ?? []).filter { !except.contains($0.name) }
    }

    /// Returns the item of a record without its details, and the fields of the record other than
    /// the URL.
    ///
    /// The values of the fields are JSON text.
    package func entry(
        _ record: UnsafeBufferPointer<UInt8>,
        at place: Int
    ) -> (item: FeedItem, fields: [ListEntry.Field]) {
        guard case .object(let url, let caption) = layout,
            record.count <= Self.maximumRecordByteCount
        else { return rowEntry(record, at: place) }
        do throws(JSONFault) {
            let value = try JSONValue(parsing: record, limits: Self.limits)
            let fields = Self.members(of: value, except: [url.text])
                .map { ListEntry.Field(name: $0.name, json: $0.value.description) }
            return (item(value, url: url, caption: caption, at: place), fields)
        } catch {
            return (failed(at: place, error.description), [])
        }
    }

    private func rowEntry(
        _ record: UnsafeBufferPointer<UInt8>,
        at place: Int
    ) -> (item: FeedItem, fields: [ListEntry.Field]) {
        var item = item(record, at: place)
        item.details = nil
        guard case .row(let dialect, let columns, let url, _) = layout,
            record.count <= Self.maximumRecordByteCount
        else { return (item, []) }
        let fields = TableRow(record, dialect: dialect, columns: columns).fields { $0 != url }
        return (item, fields.map { ListEntry.Field(name: $0.0, json: $0.1.description) })
    }

    private func item(_ row: TableRow, url: Int, caption: Int?, at place: Int) -> FeedItem {
        if row.isOpen { return failed(at: place, "a quotation mark is never closed") }
        guard let target = row.text(url) else {
            let count = row.count == 1 ? "1 field" : "\(row.count) fields"
            return failed(at: place, "it has \(count), but the URL is in field \(url + 1)")
        }
        var item = item(target, caption.flatMap { row.text($0) }, at: place)
        let fields = row.fields { $0 != url && $0 != caption }
        item.details = RecordDetails.details(of: fields)
        return item
    }

    private func item(_ target: String, _ caption: String?, at place: Int) -> FeedItem {
        // A byte order mark may remain from joined files.
        let target = (target.first == "\u{FEFF}" ? String(target.dropFirst()) : target).trimmed
        guard !target.isEmpty else { return failed(at: place, "the URL is empty") }
        if let url = PictureNames.dataURL(ofBase64: target) {
            return item(url, caption, at: place)
        }
        let isData = target.prefix(5).lowercased() == "data:"
        guard isData || target.utf8.count <= FeedLineParser.maximumLineByteCount else {
            return failed(at: place, "the URL is longer than 8 KiB")
        }
        let shown = caption.map { FileText.shown($0).trimmed }
        let short = shown.map { text in
            let start = text.prefix(Self.maximumCaptionLength)
            return start.endIndex == text.endIndex ? text : start + "…"
        }
        return lineParser.item(target: target, caption: short?.isEmpty == true ? nil : short)
    }

    /// Returns an item for a record that cannot be used; `problem` is the reason.
    ///
    /// The URL of the item contains the position of the record, so no two such items are equal.
    private func failed(at place: Int, _ problem: String) -> FeedItem {
        let name = "record at byte \(place)"
        return FeedItem(url: name, caption: name, problem: problem)
    }

    // MARK: - Without an item

    /// Returns the range of the URL in a record, or nil if the record has no URL or the URL
    /// contains escape sequences.
    package func target(in record: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        switch layout {
        case .object(let url, _): Self.plainText(at: url, record)
        case .row(let dialect, _, let url, _):
            Self.plainField(url, dialect: dialect, record: record)
        }
    }

    /// Returns the range of the caption in a record, or nil if the record has no caption or the
    /// caption contains escape sequences.
    package func caption(in record: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        switch layout {
        case .object(_, let caption?): Self.plainText(at: caption, record)
        case .row(let dialect, _, _, let caption?):
            Self.plainField(caption, dialect: dialect, record: record)
        case .object(_, nil), .row(_, _, _, nil): nil
        }
    }

    private static func plainText(
        at path: RecordPath,
        _ record: UnsafeBufferPointer<UInt8>
    ) -> Range<Int>? {
        guard let value = JSONText.value(at: path.steps, record), value.count >= 2,
            record[value.lowerBound] == 0x22
        else { return nil }
        let inside = value.lowerBound + 1..<value.upperBound - 1
        return record[inside].contains(0x5C) ? nil : inside
    }

    private static func plainField(
        _ index: Int,
        dialect: TableDialect,
        record: UnsafeBufferPointer<UInt8>
    ) -> Range<Int>? {
        let fields = dialect.fields(record, limit: index + 1)
        guard fields.indices.contains(index) else { return nil }
        var field = fields[index]
        if record[field].first == 0x22 {
            guard field.count >= 2, record[field.upperBound - 1] == 0x22 else { return nil }
            field = field.lowerBound + 1..<field.upperBound - 1
        }
        return record[field].contains(0x22) ? nil : field
    }
}

/// The fields of a table row.
package struct TableRow {
    private let record: UnsafeBufferPointer<UInt8>
    private let places: [Range<Int>]
    private let columns: [String]

    package init(_ record: UnsafeBufferPointer<UInt8>, dialect: TableDialect, columns: [String]) {
        self.record = record
        self.columns = columns
        places = dialect.fields(record, limit: RecordParser.maximumColumnCount)
    }

    package var count: Int { places.count }

    /// Whether the last field starts with a quotation mark that is never closed.
    package var isOpen: Bool { places.last.map { TableDialect.isOpen(record[$0]) } ?? false }

    /// Returns the text of a column, or nil if the row is too short.
    package func text(_ column: Int) -> String? {
        guard places.indices.contains(column) else { return nil }
        return FileText.text(TableDialect.content(record[places[column]]))
    }

    /// Returns the names and values of the columns for which `isWanted` returns true.
    ///
    /// Columns without a name or a value are omitted.
    package func fields(where isWanted: (Int) -> Bool) -> [(String, JSONValue)] {
        places.indices.compactMap { column in
            guard isWanted(column), columns.indices.contains(column), !columns[column].isEmpty,
                let text = text(column), !text.isEmpty
            else { return nil }
            return (columns[column], .string(FileText.shown(text)))
        }
    }
}
