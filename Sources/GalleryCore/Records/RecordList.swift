internal import FeedDocuments
internal import ImageLoading

/// The list that a single object of JSON holds: what servers answer with is often one object, with the
/// list in it and how many there are beside it.
struct RecordList {
    /// Its elements.
    let records: FeedRecords
    /// Where it is in the object: `data.images`.
    let path: String

    /// The list in which the first address of the only record stands; nil if it stands in none, or if the
    /// person says which key of the record itself it is.
    ///
    /// A list of one picture is a part of the record, whose other keys say what it shows.
    init?(inOnly records: FeedRecords, minimumCount: Int = 2, options: FeedOptions) {
        guard records.count == 1, !records.isCut, let address = Self.address(records, options)
        else { return nil }
        let steps = address.text.split(separator: ".", omittingEmptySubsequences: false)
        guard let first = steps.firstIndex(of: "0"), first > 0 else { return nil }
        let elements = records.withRecord(0) { record -> [UInt8]? in
            // One that is still arriving has the mark of UTF-8 before it.
            let mark = FeedFormat.markByteCount(of: record)
            let record = UnsafeBufferPointer(rebasing: record.dropFirst(mark))
            guard let place = JSONText.value(at: Array(address.steps[..<first]), record),
                record[place.lowerBound] == UInt8(ascii: "[")
            else { return nil }
            return Array(record[place])
        }
        guard let elements else { return nil }
        self.records = FeedRecords(elements, .jsonElements)
        guard self.records.count >= minimumCount else { return nil }
        path = steps[..<first].joined(separator: ".")
    }

    /// The same of bytes that are one object, on however many lines.
    init?(inObject bytes: [UInt8], options: FeedOptions) {
        let text = bytes.dropFirst(FeedFormat.markByteCount(of: bytes))
        let list = [UInt8(ascii: "[")] + text + [UInt8(ascii: "]")]
        let object = FeedRecords(list, .jsonElements)
        self.init(inOnly: object, minimumCount: 1, options: options)
    }

    /// Said once, as what is guessed is.
    var remark: String { "the list “\(FileText.shown(path))” in it" }

    private static func address(_ records: FeedRecords, _ options: FeedOptions) -> RecordPath? {
        guard records.format == .jsonLines || records.format == .jsonElements else { return nil }
        if options.urlKey != nil, layout(records, options) != nil { return nil }
        guard case .object(let url, _)? = layout(records, FeedOptions()) else { return nil }
        return url
    }

    private static func layout(_ records: FeedRecords, _ options: FeedOptions) -> RecordLayout? {
        var finder = RecordLayoutFinder(records: records, options: options, title: "")
        finder.limits = JSONLimits()
        return (try? finder.find())?.layout
    }
}
