/// The frame, tables, restart interval and color space from the segments of a JPEG.
///
/// `DCDecoder` needs them to decode the coded data. It accepts only valid files and leaves all
/// other files to libjpeg.
struct JPEGTables {
    private(set) var frame: JPEGFrame?
    /// The quantizers in each of the four quantization tables.
    private(set) var quantizers = [JPEGQuantizer?](repeating: nil, count: 4)
    private(set) var dcCodes = [HuffmanCode?](repeating: nil, count: 4)
    private(set) var acCodes = [HuffmanCode?](repeating: nil, count: 4)
    private(set) var restartInterval = 0
    /// Whether `DCDecoder` can use all segments that have been read.
    private(set) var isUsable = true
    private var hasJFIF = false
    private var adobeTransform: UInt8?

    /// Whether the three components are red, green and blue, by the same rule as in libjpeg.
    var isRGB: Bool {
        guard let frame, frame.components.count == 3, !hasJFIF else { return false }
        if let adobeTransform { return adobeTransform == 0 }
        return frame.components.map(\.identifier) == Array("RGB".utf8)
    }

    /// The quantizers of each component, or nil if any of them is unknown.
    var componentQuantizers: [JPEGQuantizer]? {
        guard let found = frame?.components.map({ quantizers[$0.quantizer] }) else { return nil }
        let known = found.compactMap(\.self)
        return known.count == found.count ? known : nil
    }

    /// Records the contents of `segment`.
    mutating func read(_ segment: JPEGSegments.Segment, in file: UnsafeBufferPointer<UInt8>) {
        guard isUsable else { return }
        let body = file[segment.body]
        switch segment.marker {
        case 0xC0, 0xC1, 0xC2:
            isUsable = frame == nil
            frame = frame ?? JPEGFrame(marker: segment.marker, body: Array(body))
            isUsable = isUsable && frame != nil
        case 0xC4: isUsable = readCodes(body)
        case 0xDB: isUsable = readQuantizers(body)
        case 0xDD:
            isUsable = body.count == 2
            restartInterval = body.prefix(2).reduce(0) { $0 << 8 | Int($1) }
        case 0xE0:
            hasJFIF = hasJFIF || (body.count >= 14 && body.starts(with: Array("JFIF\0".utf8)))
        case 0xEE:
            let isAdobe = body.count >= 12 && body.starts(with: Array("Adobe".utf8))
            if isAdobe { adobeTransform = body[body.startIndex + 11] }
        case 0xE1...0xEF, 0xFE: break
        default: isUsable = false
        }
    }

    private mutating func readQuantizers(_ body: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var rest = body
        while let head = rest.popFirst() {
            let byteCount = head >> 4 == 0 ? 1 : 2
            guard head >> 4 <= 1, head & 15 < 4, rest.count >= 64 * byteCount else { return false }
            let entries = (0..<6).map { index in
                rest.dropFirst(index * byteCount).prefix(byteCount).reduce(0) { $0 << 8 | Int($1) }
            }
            quantizers[Int(head & 15)] = JPEGQuantizer(
                mean: entries[0],
                lowFrequencies: entries[1...].max() ?? entries[0]
            )
            rest = rest.dropFirst(64 * byteCount)
        }
        return true
    }

    private mutating func readCodes(_ body: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
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
