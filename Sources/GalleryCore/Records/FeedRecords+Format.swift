internal import FeedDocuments

extension FeedRecords.Format {
    /// The format of a feed that is a table or a list of values of JSON; nil of others.
    ///
    /// URLs have commas, and captions too: without a name that says so, or a person, only a heading that
    /// names a column of addresses makes a table.
    static func sniffed(from bytes: [UInt8], name: String, options: FeedOptions) -> Self? {
        let suffix = suffix(of: name)
        return bytes.withUnsafeBufferPointer { buffer in
            let mark = FeedFormat.markByteCount(of: buffer)
            let start = JSONText.skippingSpace(buffer, from: mark)
            let line = FeedLines.lineEnd(buffer, from: start)
            let first = start < buffer.count ? buffer[start] : 0
            if suffix == "jsonl" || suffix == "ndjson" { return .jsonLines }
            if first == UInt8(ascii: "[") { return .jsonElements }
            if first == UInt8(ascii: "{") {
                return JSONText.valueEnd(buffer, from: start) <= line ? .jsonLines : nil
            }
            guard first != UInt8(ascii: "<") else { return nil }
            return table(buffer[start..<line], suffix, options).map { .rows($0) }
        }
    }

    /// In lower case, of a path or URL.
    private static func suffix(of name: String) -> String {
        let path = name.prefix { $0 != "?" && $0 != "#" }
        let last = path.split(separator: "/").last ?? ""
        return last.lastIndex(of: ".").map { last[last.index(after: $0)...].lowercased() } ?? ""
    }

    private static func table(
        _ line: Slice<UnsafeBufferPointer<UInt8>>,
        _ suffix: String,
        _ options: FeedOptions
    ) -> TableDialect? {
        let line = line.last == 0x0D ? line.dropLast() : line
        let sniffed = TableDialect.sniffed(fromHeading: line)
        if suffix == "tsv" || suffix == "tab" { return TableDialect(delimiter: 0x09) }
        if suffix == "csv" || options.urlColumn != nil {
            return sniffed ?? TableDialect(delimiter: UInt8(ascii: ","))
        }
        // A heading is short, and no comment; a line of 100 MB is none.
        guard let sniffed, line.first != UInt8(ascii: "#"), line.count <= 64 << 10 else {
            return nil
        }
        let heading = UnsafeBufferPointer(rebasing: line)
        let names = sniffed.fields(heading, limit: RecordParser.maximumColumnCount).map { field in
            RecordLayoutFinder.text(TableDialect.content(heading[field]))
        }
        let hasAddress = names.contains(where: PictureNames.isAddress)
        return !hasAddress && names.contains(where: RecordNames.isForAddresses) ? sniffed : nil
    }
}
