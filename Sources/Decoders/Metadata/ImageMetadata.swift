/// The metadata of an image file: EXIF, IPTC, XMP, and the texts of PNG files.
///
/// All strings are untrusted; code that displays them must sanitize them.
public struct ImageMetadata: Hashable, Sendable {
    /// A tag with its values.
    public struct Field: Hashable, Sendable {
        /// The name of the tag as in exiv2, such as "Exif.Photo.FNumber" or "Xmp.dc.subject".
        ///
        /// A text of a PNG has the key "PNG." and its keyword, such as "PNG.parameters".
        public let key: String
        /// The values, unconverted: a fraction is "14/5".
        ///
        /// Only a tag that is a list, such as the keywords, has more than one.
        public internal(set) var values: [String]
    }

    /// The tags that the file contains, of those in `MetadataKeys`.
    public private(set) var fields: [Field] = []

    /// The reason that tags may be missing; nil if all metadata was read.
    ///
    /// For example, a library is not installed, or the file is damaged.
    public var problem: String?

    /// Creates metadata without fields.
    public init() {}

    /// Returns the values of a tag, or an empty array if the file does not contain it.
    public subscript(key: String) -> [String] {
        fields.first { $0.key == key }?.values ?? []
    }

    /// Adds values to a tag; does nothing if `values` is empty.
    package mutating func add(_ key: String, _ values: [String]) {
        guard !values.isEmpty else { return }
        if let index = fields.firstIndex(where: { $0.key == key }) {
            fields[index].values += values
        } else {
            fields.append(Field(key: key, values: values))
        }
    }

    /// Replaces the tags that `other` contains, too, and adds its other tags.
    package mutating func replace(with other: ImageMetadata) {
        fields.removeAll { field in other.fields.contains { $0.key == field.key } }
        fields += other.fields
        problem = problem ?? other.problem
    }
}

// MARK: - Bytes

/// The form in which a helper process returns metadata: for each value its key and the value.
///
/// Both are UTF-8 and end with a NUL byte. The key of the problem is empty.
extension ImageMetadata {
    /// The maximum number of bytes.
    ///
    /// Image generators store workflows of several hundred kilobytes.
    package static let maximumByteCount = 4 << 20

    /// The encoded metadata; values that would exceed the maximum are left out.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        let problems = problem.map { [("", $0)] } ?? []
        let pairs = fields.flatMap { field in field.values.map { (field.key, $0) } }
        for (key, value) in problems + pairs {
            let count = bytes.count + key.utf8.count + value.utf8.count + 2
            guard count <= Self.maximumByteCount else { continue }
            for text in [key, value] {
                bytes += text.utf8.lazy.filter { $0 != 0 }
                bytes.append(0)
            }
        }
        return bytes
    }

    /// Decodes metadata; a pair without its end is ignored.
    package init(bytes: [UInt8]) {
        let texts = bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
            .map { String(decoding: $0, as: UTF8.self) }
        for index in stride(from: 0, to: texts.count - 1, by: 2) {
            let (key, value) = (texts[index], texts[index + 1])
            if key.isEmpty { problem = value } else { add(key, [value]) }
        }
    }
}
