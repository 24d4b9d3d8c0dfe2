import ImageLoading

/// The list within a single JSON object.
///
/// Servers often return an object that contains the list and its length.
package struct RecordList {
    /// The elements of the list.
    package let records: FeedRecords
    /// The path of the list in the object, such as `data.images`.
    package let path: String

    /// Creates the list that contains the first image URL of the only record.
    ///
    /// Returns nil if there is no such list, if it has fewer than `minimumCount` elements, or if
    /// the user specified a key of the record itself. By default, a list with one image is treated
    /// as a part of the record, because the other keys of the record then describe the image.
    package init?(inOnly records: FeedRecords, minimumCount: Int = 2, options: FeedOptions) {
        guard records.count == 1, !records.isCut, let address = Self.address(records, options)
        else { return nil }
        let steps = address.text.split(separator: ".", omittingEmptySubsequences: false)
        let found = records.withRecord(0) { record -> (elements: [UInt8], depth: Int)? in
            // A record that is still arriving may start with the UTF-8 byte order mark.
            let mark = FeedFormat.markByteCount(of: record)
            let record = UnsafeBufferPointer(rebasing: record.dropFirst(mark))
            for depth in 1..<max(steps.count, 1) {
                guard let place = JSONText.value(at: Array(address.steps[..<depth]), record) else {
                    return nil
                }
                if record[place.lowerBound] == UInt8(ascii: "["), steps[depth] == "0" {
                    return (Array(record[place]), depth)
                }
                if let elements = Self.elements(record, inObjectAt: place.lowerBound) {
                    return (elements, depth)
                }
            }
            return nil
        }
        guard let found else { return nil }
        self.records = FeedRecords(found.elements, .jsonElements)
        guard self.records.count >= minimumCount else { return nil }
        path = steps[..<found.depth].joined(separator: ".")
    }

    /// Returns a JSON array of the values in an object that maps identifiers to objects.
    ///
    /// Returns nil for other objects. An identifier contains a digit, unlike the name of a field
    /// such as "large".
    private static func elements(
        _ bytes: UnsafeBufferPointer<UInt8>,
        inObjectAt start: Int
    ) -> [UInt8]? {
        guard bytes[start] == UInt8(ascii: "{") else { return nil }
        let members = JSONText.members(bytes, ofObjectAt: start)
        let isMap = members.allSatisfy { name, value in
            bytes[value.lowerBound] == UInt8(ascii: "{")
                && bytes[name].contains { $0 &- 0x30 < 10 }
        }
        guard isMap, members.count > 1 else { return nil }
        let values = members.map { bytes[$0.value] }
        return [UInt8(ascii: "[")] + values.joined(separator: [UInt8(ascii: ",")])
            + [UInt8(ascii: "]")]
    }

    /// Creates the list from the bytes of one object, which may span several lines.
    package init?(inObject bytes: [UInt8], options: FeedOptions) {
        let text = bytes.dropFirst(FeedFormat.markByteCount(of: bytes))
        let list = [UInt8(ascii: "[")] + text + [UInt8(ascii: "]")]
        let object = FeedRecords(list, .jsonElements)
        self.init(inOnly: object, minimumCount: 1, options: options)
    }

    /// A description of the detected list, used in a remark for the user.
    package var remark: String { "the list “\(FileText.shown(path))” in it" }

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
