/// What a camera noted beside a picture, in EXIF.
///
/// Texts may hold anything: what shows them cleans them.
package struct CameraFacts: Equatable, Sendable {
    package var model: String?
    package var lens: String?
    /// "2026:11:23 01:30:00", in the camera's own time.
    package var taken: String?
    /// In seconds.
    package var exposureTime: Double?
    package var aperture: Double?
    package var sensitivity: Int?
    /// In millimetres.
    package var focalLength: Double?

    /// Reads the start of a file, as far as it is there; nil if it is no JPEG or TIFF with EXIF.
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

    /// Most models begin with the maker's name.
    private static func joined(_ maker: String?, _ model: String?) -> String? {
        guard let maker, let model else { return model ?? maker }
        let brand = maker.prefix { $0 != " " }.lowercased()
        return model.lowercased().hasPrefix(brand) ? model : "\(maker) \(model)"
    }
}

extension EXIFParser {
    private static let textType = 2
    private static let fractionType = 5
    /// Longer texts are none that a camera writes.
    private static let longestText = 256

    /// The text that the directory at `directory` has for `tag`; nil if there is none, or a blank one.
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

    /// The fraction that the directory at `directory` has for `tag`; nil unless it is above 0.
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
