extension FeedRecords.Format {
    /// Returns the format of a table or of a list of JSON values, or nil for other feeds.
    ///
    /// URLs and captions may contain commas, so without a matching file name or option, text is a
    /// table only if its heading names a URL column.
    package static func sniffed(from bytes: [UInt8], name: String, options: FeedOptions) -> Self? {
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
            if let named = TableDialect.named(in: buffer, from: start) {
                return .rows(named.dialect)
            }
            return table(buffer[start..<line], suffix: suffix, options: options).map { .rows($0) }
        }
    }

    /// Returns the suffix of a path or URL in lowercase.
    private static func suffix(of name: String) -> String {
        let path = name.prefix { $0 != "?" && $0 != "#" }
        let last = path.split(separator: "/").last ?? ""
        return last.lastIndex(of: ".").map { last[last.index(after: $0)...].lowercased() } ?? ""
    }

    private static func table(
        _ line: Slice<UnsafeBufferPointer<UInt8>>,
        suffix: String,
        options: FeedOptions
    ) -> TableDialect? {
        let line = line.last == 0x0D ? line.dropLast() : line
        let sniffed = TableDialect.sniffed(fromHeading: line)
        if suffix == "tsv" || suffix == "tab" { return TableDialect(delimiter: 0x09) }
        if suffix == "csv" || options.urlColumn != nil {
            return sniffed ?? TableDialect(delimiter: UInt8(ascii: ","))
        }
        // A heading is short and not a comment; the first line of other text may be 100 MB long.
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
