import ImageLoading
import SystemSupport

/// The list within a single JSON object.
///
/// Servers often return an object that contains the list and its length.
package struct RecordList {
    /// The elements of the list.
    package let records: FeedRecords
    /// The path of the list in the object, such as `data.images`.
    package let path: String

    /// Finds the list that contains the first image URL in the only record of `records`.
    ///
    /// Returns nil if there is no such list, if it has fewer than `minimumCount` elements, or if
    /// the user specified a key of the record itself. By default, a list with one image is treated
    /// as part of the record, because the other keys of the record then describe the image.
    package init?(inOnly records: FeedRecords, minimumCount: Int = 2, options: FeedOptions) {
        guard records.count == 1, !records.isCut, let address = Self.address(records, options)
        else { return nil }
        let steps = address.text.split(separator: ".", omittingEmptySubsequences: false)
        let found = records.withRecord(0) { record -> (elements: [UInt8], depth: Int)? in
            // A record that is still arriving may start with the UTF-8 byte order mark.
            let mark = FeedFormat.markByteCount(of: record)
            let record = UnsafeBufferPointer(rebasing: record.dropFirst(mark))
            for depth in 0..<max(steps.count, 1) {
                guard let place = JSONText.value(at: Array(address.steps[..<depth]), record) else {
                    return nil
                }
                if depth > 0, record[place.lowerBound] == UInt8(ascii: "["), steps[depth] == "0" {
                    return (Array(record[place]), depth)
                }
                let rest = Array(address.steps.dropFirst(depth + 1))
                if !rest.isEmpty, let elements = Self.elements(record, in: place.lowerBound, rest) {
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

    /// Returns a JSON array of the values in the object at `start`, if the object maps identifiers
    /// to objects with an image at `path`; otherwise nil.
    ///
    /// Objects under keys such as "large" and "small" are versions of one image, not a list.
    private static func elements(
        _ bytes: UnsafeBufferPointer<UInt8>,
        in start: Int,
        _ path: [[UInt8]]
    ) -> [UInt8]? {
        guard bytes[start] == UInt8(ascii: "{") else { return nil }
        let members = JSONText.members(bytes, ofObjectAt: start)
        let isMap = members.allSatisfy { name, value in
            let word = String(decoding: bytes[name].dropFirst().dropLast(), as: UTF8.self)
            return bytes[value.lowerBound] == UInt8(ascii: "{")
                && !versionNames.contains(where: word.lowercased().contains)
                && JSONText.value(at: path, UnsafeBufferPointer(rebasing: bytes[value])) != nil
        }
        guard isMap, members.count > 1 else { return nil }
        return array(of: members.map { bytes[$0.value] })
    }

    /// Words in the keys of an object that contains the versions of one image.
    private static let versionNames = [
        "large", "small", "medium", "thumb", "full", "original", "preview", "regular", "raw",
        "square", "icon", "image", "photo", "picture", "size", "src", "url",
    ]

    /// Returns the messages with URLs from the output of `gallery-dl -j`, or nil for other lists.
    ///
    /// A message is an array of its type, the URL and the metadata. Messages of type 3 contain the
    /// URLs of files.
    package static func files(inMessages records: FeedRecords) -> FeedRecords? {
        guard records.format == .jsonElements, records.count > 0 else { return nil }
        let isMessages = records.withRecord(0) { record in
            record.first == UInt8(ascii: "[")
                && JSONText.value(at: [Array("0".utf8)], record).map { $0.count == 1 } == true
        }
        guard isMessages else { return nil }
        let files = (0..<records.count).compactMap { index -> [UInt8]? in
            records.withRecord(index) { record in
                let type = JSONText.value(at: [Array("0".utf8)], record)
                return type.map { record[$0].elementsEqual("3".utf8) } == true ? Array(record) : nil
            }
        }
        return files.isEmpty ? nil : FeedRecords(array(of: files), .jsonElements)
    }

    private static func array(of values: [some Sequence<UInt8>]) -> [UInt8] {
        [UInt8(ascii: "[")] + values.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
    }

    /// Creates the list from the bytes of one object, which may span several lines.
    package init?(inObject bytes: [UInt8], options: FeedOptions) {
        let text = bytes.dropFirst(FeedFormat.markByteCount(of: bytes))
        let list = [UInt8(ascii: "[")] + text + [UInt8(ascii: "]")]
        let object = FeedRecords(list, .jsonElements)
        self.init(inOnly: object, minimumCount: 1, options: options)
    }

    /// A description of the detected list, used in a remark for the user.
    package var remark: String {
        path.isEmpty ? "each of its members" : "the list “\(FileText.shown(path))” in it"
    }

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
