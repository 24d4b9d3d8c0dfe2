/// Walks the markers of a JPEG: keeps the tables, stops at each scan.
///
/// Takes only what is in order. Whatever else it meets it declines, and libjpeg has to judge.
struct DCMarkerParser {
    enum Event: Equatable {
        /// A scan whose coded data start at `offset`.
        case scan(JPEGScan)
        /// The end marker.
        case end
        /// Something unusual, damaged or missing.
        case declined
    }

    private let file: [UInt8]
    /// Where the next marker, or a scan's data, start.
    var offset = 0
    private(set) var frame: JPEGFrame?
    /// The first entry, that of the DC coefficient, of each quantisation table.
    private(set) var quantizers = [Int?](repeating: nil, count: 4)
    private(set) var dcCodes = [HuffmanCode?](repeating: nil, count: 4)
    private(set) var acCodes = [HuffmanCode?](repeating: nil, count: 4)
    private(set) var restartInterval = 0
    private var hasJFIF = false
    private var adobeTransform: UInt8?

    init(_ file: [UInt8]) { self.file = file }

    /// Whether three components are red, green and blue: libjpeg's rule.
    var isRGB: Bool {
        guard let frame, frame.components.count == 3, !hasJFIF else { return false }
        if let adobeTransform { return adobeTransform == 0 }
        return frame.components.map(\.identifier) == Array("RGB".utf8)
    }

    /// Reads on to the next scan or the end.
    mutating func next() -> Event {
        if offset == 0 {
            guard file.starts(with: [0xFF, 0xD8]) else { return .declined }
            offset = 2
        }
        while let (marker, body) = segment() {
            switch marker {
            case 0xD9: return .end
            case 0xDA:
                guard let frame, let scan = JPEGScan(body: body, frame: frame) else {
                    return .declined
                }
                return .scan(scan)
            default:
                guard read(marker, body) else { return .declined }
            }
        }
        return .declined
    }

    /// The marker at `offset` with what follows its length; `offset` moves behind both.
    private mutating func segment() -> (marker: UInt8, body: ArraySlice<UInt8>)? {
        guard offset + 2 <= file.count, file[offset] == 0xFF else { return nil }
        let marker = file[offset + 1]
        offset += 2
        guard marker != 0xD9 else { return (marker, []) }
        guard marker >= 0xC0, !(0xD0...0xD8).contains(marker), offset + 2 <= file.count else {
            return nil
        }
        let length = Int(file[offset]) << 8 | Int(file[offset + 1])
        guard length >= 2, offset + length <= file.count else { return nil }
        let body = file[offset + 2..<offset + length]
        offset += length
        return (marker, body)
    }

    /// False if the segment is damaged or of a kind that is left to libjpeg.
    private mutating func read(_ marker: UInt8, _ body: ArraySlice<UInt8>) -> Bool {
        switch marker {
        case 0xC0, 0xC1, 0xC2:
            guard frame == nil else { return false }
            frame = JPEGFrame(marker: marker, body: body)
            return frame != nil
        case 0xC4: return readCodes(body)
        case 0xDB: return readQuantizers(body)
        case 0xDD:
            guard body.count == 2 else { return false }
            restartInterval = body.reduce(0) { $0 << 8 | Int($1) }
        case 0xE0:
            hasJFIF = hasJFIF || (body.count >= 14 && body.starts(with: Array("JFIF\0".utf8)))
        case 0xEE:
            let isAdobe = body.count >= 12 && body.starts(with: Array("Adobe".utf8))
            if isAdobe { adobeTransform = body[body.startIndex + 11] }
        case 0xE1...0xEF, 0xFE: break
        default: return false
        }
        return true
    }

    private mutating func readQuantizers(_ body: ArraySlice<UInt8>) -> Bool {
        var rest = body
        while let head = rest.popFirst() {
            let byteCount = head >> 4 == 0 ? 1 : 2
            guard head >> 4 <= 1, head & 15 < 4, rest.count >= 64 * byteCount else { return false }
            quantizers[Int(head & 15)] = rest.prefix(byteCount).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(64 * byteCount)
        }
        return true
    }

    private mutating func readCodes(_ body: ArraySlice<UInt8>) -> Bool {
        var rest = body
        while let head = rest.popFirst() {
            guard head >> 4 <= 1, head & 15 < 4, rest.count >= 16 else { return false }
            let counts = rest.prefix(16).map(Int.init)
            rest = rest.dropFirst(16)
            let symbolCount = counts.reduce(0, +)
            guard symbolCount <= min(256, rest.count) else { return false }
            let code = HuffmanCode(counts: counts, symbols: Array(rest.prefix(symbolCount)))
            guard let code else { return false }
            rest = rest.dropFirst(symbolCount)
            if head >> 4 == 0 {
                dcCodes[Int(head & 15)] = code
            } else {
                acCodes[Int(head & 15)] = code
            }
        }
        return true
    }
}
