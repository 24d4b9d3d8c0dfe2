/// The camera settings in a file's EXIF block.
///
/// The strings are untrusted; code that displays them must sanitize them.
package struct CameraFacts: Equatable, Sendable {
    package var model: String?
    package var lens: String?
    /// The time at which the image was taken, in the camera's own time zone, such as "2026:11:23
    /// 01:30:00".
    package var taken: String?
    /// The exposure time in seconds.
    package var exposureTime: Double?
    package var aperture: Double?
    package var sensitivity: Int?
    /// The focal length in millimeters.
    package var focalLength: Double?

    /// Creates the settings from `bytes`, the start of a file; returns nil if `bytes` contains no
    /// camera settings.
    ///
    /// Settings that are not in the available bytes are nil. Only JPEG and TIFF files with EXIF are
    /// supported.
    package init?(startOfFile bytes: [UInt8]) {
        let block = bytes.withUnsafeBufferPointer { file -> [UInt8]? in
            guard file.count > 4, file[0] == 0xFF, file[1] == 0xD8 else { return nil }
            return JPEGHeaderSegments(file).metadata.exif.map { Array(file[$0]) }
        }
        guard let parser = EXIFParser(block ?? bytes) else { return nil }
        self.init(parser)
        guard self != CameraFacts() else { return nil }
    }

    package init() {}

    private init(_ parser: EXIFParser) {
        guard let first = parser.number(at: 4, byteCount: 4) else { return }
        let maker = parser.text(ofTag: 0x010F, in: first)
        model = Self.joined(maker, parser.text(ofTag: 0x0110, in: first))
        guard let details = parser.value(ofTag: 0x8769, in: first) else { return }
        lens = parser.text(ofTag: 0xA434, in: details)
        taken = parser.text(ofTag: 0x9003, in: details)
        exposureTime = parser.fraction(ofTag: 0x829A, in: details)
        aperture = parser.fraction(ofTag: 0x829D, in: details)
        sensitivity = parser.value(ofTag: 0x8827, in: details)
        focalLength = parser.fraction(ofTag: 0x920A, in: details)
    }

    /// Returns the maker's name followed by the model.
    ///
    /// If the model already starts with the brand, as most models do, returns only the model.
    package static func joined(_ maker: String?, _ model: String?) -> String? {
        guard let maker, let model else { return model ?? maker }
        let brand = maker.prefix { $0 != " " }.lowercased()
        return model.lowercased().hasPrefix(brand) ? model : "\(maker) \(model)"
    }
}

extension EXIFParser {
    private static let textType = 2
    private static let fractionType = 5
    /// The maximum length of a text in bytes; cameras do not write longer text.
    private static let longestText = 256

    /// Returns the trimmed text for `tag` in the directory at `directory`, or nil if the text is
    /// missing, blank or too long.
    func text(ofTag tag: Int, in directory: Int) -> String? {
        guard let entry = entry(ofTag: tag, in: directory),
            number(at: entry + 2, byteCount: 2) == Self.textType,
            let count = number(at: entry + 4, byteCount: 4), (1...Self.longestText).contains(count),
            let start = count <= 4 ? entry + 8 : number(at: entry + 8, byteCount: 4),
            start <= bytes.count - count
        else { return nil }
        let text = String(decoding: bytes[start..<start + count].prefix { $0 != 0 }, as: UTF8.self)
        let end = text.lastIndex { $0 != " " }
        return end.map { String(text[...$0].drop { $0 == " " }) }
    }

    /// Returns the value of the fraction for `tag` in the directory at `directory`, or nil if the
    /// fraction is missing or not positive.
    func fraction(ofTag tag: Int, in directory: Int) -> Double? {
        guard let entry = entry(ofTag: tag, in: directory),
            number(at: entry + 2, byteCount: 2) == Self.fractionType,
            number(at: entry + 4, byteCount: 4) == 1,
            let start = number(at: entry + 8, byteCount: 4),
            let top = number(at: start, byteCount: 4), top > 0,
            let bottom = number(at: start + 4, byteCount: 4), bottom > 0
        else { return nil }
        return Double(top) / Double(bottom)
    }
}
