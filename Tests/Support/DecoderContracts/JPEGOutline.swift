import Decoders

/// The segments of a JPEG as far as two decodes of it can be compared; damaged files are outlined
/// up to the damage.
struct JPEGOutline {
    /// A bit above those that files have, of a coefficient that has not come.
    private static let nothing: UInt8 = 14

    private(set) var isProgressive = false
    /// Whether data that are missing decode to something, as often as not.
    private(set) var isArithmetic = false
    /// Whether a component is sampled more coarsely both ways.
    ///
    /// At 1/8 libjpeg makes four samples of a block of it, out of its first AC coefficients too.
    private(set) var hasQuarterChroma = false
    let bytes: [UInt8]
    private var components: [UInt8] = []
    private var openScan: (start: Int, isFirstOfDC: Bool)?
    private var otherScans: [Range<Int>] = []
    private var endOfDC = 0
    private var size = PixelSize(width: 0, height: 0)
    private var coarsest = PixelSize(width: 1, height: 1)
    private var hasEnd = false
    /// Whether a segment is cut or too short, a frame is not the only one, or a scan repeats bits or
    /// comes before its turn.
    private(set) var isDamaged = false
    /// The lowest received bit of each coefficient of each component.
    private var lowBits: [[UInt8]] = []
    /// Where the AC entries of the quantization tables stand.
    private var entries: [Range<Int>] = []
    private var largestQuantizer = 0
    /// The most low bits that a first scan of DC values leaves out.
    private var missingBitCount = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var offset = 2
        defer { closeScan(at: bytes.count) }
        while offset + 4 <= bytes.count {
            let marker = bytes[offset + 1]
            if bytes[offset] == 0xFF, marker == 0xD9 { break }
            // Between the segments there may be coded data, fill bytes, or other data.
            guard bytes[offset] == 0xFF, (0xC0...0xFE).contains(marker),
                !(0xD0...0xD8).contains(marker)
            else {
                offset += 1
                continue
            }
            let end = offset + 2 + Int(bytes[offset + 2]) << 8 + Int(bytes[offset + 3])
            guard end <= bytes.count, end >= offset + 4 else {
                isDamaged = true
                return
            }
            closeScan(at: offset)
            read(marker, offset + 4..<end)
            offset = end
        }
        let rest = bytes.dropFirst(offset)
        hasEnd = zip(rest, rest.dropFirst()).contains { $0 == (0xFF, 0xD9) }
    }

    /// The file with all AC coefficients quantized by nothing, so that what only one of two
    /// decoders looks at can't be seen.
    var withoutAC: [UInt8] {
        var file = bytes
        for range in entries {
            file.replaceSubrange(range, with: repeatElement(0, count: range.count))
        }
        return file
    }

    /// A progressive file up to the last first DC scan, without the scans between them.
    var withDCAlone: [UInt8] {
        var file = Array(bytes[..<endOfDC])
        for range in otherScans.reversed() where range.upperBound <= endOfDC {
            file.removeSubrange(range)
        }
        return file + [0xFF, 0xD9]
    }

    /// Whether the scans of a progressive file bring all bits of all coefficients, each once and in
    /// its turn, and the file ends behind them; true of files that are not progressive.
    var isInOrder: Bool {
        !isDamaged
            && (!isProgressive
                || hasEnd && lowBits.allSatisfy { $0.allSatisfy { $0 == 0 } })
    }

    /// Whether a picture that is laid into a square of `side` is made of an eighth of its pixels:
    /// the decoder's rule.
    func isReadAtEighth(side: Int) -> Bool {
        let square = PixelSize(width: side, height: side)
        let target = size.scaled(into: square, mode: .fit)
        return size.width / 8 >= target.width * max(2, coarsest.width)
            && size.height / 8 >= target.height * max(2, coarsest.height)
    }

    /// The maximum difference of pixels: zero, except for the bits that a first progressive scan
    /// lacks.
    ///
    /// If these bits are not visible, their mean is used, or 0 for a chroma that is still 0. If one
    /// decoder has all of them and the other none, a DC value differs by at most the value of n
    /// bits, and a sample by an eighth of it; the errors of luma and 1.772 times chroma add up. The
    /// averages are formed in linear light, where the darkest pixels count for up to 1.35 times
    /// their weight in encoded values, and are then rounded.
    var tolerance: Int {
        guard isProgressive, missingBitCount > 0 else { return 0 }
        let levels = largestQuantizer * ((1 << missingBitCount) - 1) / 8 + 1
        return (levels * 2_772 + 999) / 1_000 * 135 / 100 + 2
    }

    private mutating func read(_ marker: UInt8, _ body: Range<Int>) {
        switch marker {
        case 0xDB: readQuantizers(body)
        case 0xC0...0xC3, 0xC9, 0xCA: readFrame(body)
        case 0xDA where body.count >= 6:
            let isFirstOfDC =
                bytes[body.upperBound - 2] == 0 && bytes[body.upperBound - 1] < 16
                && lowBits.contains { $0[0] == Self.nothing }
            openScan = (body.lowerBound - 4, isFirstOfDC)
            readScan(Array(bytes[body]))
        default: break
        }
        if marker == 0xC2 { isProgressive = true }
        if marker == 0xC9 || marker == 0xCA { isArithmetic = true }
    }

    private mutating func readQuantizers(_ body: Range<Int>) {
        var start = body.lowerBound
        while start < body.upperBound {
            let byteCount = bytes[start] >> 4 == 0 ? 1 : 2
            let end = start + 1 + 64 * byteCount
            guard end <= body.upperBound else { return }
            let first = bytes[(start + 1)..<(start + 1 + byteCount)].reduce(0) { $0 << 8 | Int($1) }
            largestQuantizer = max(largestQuantizer, first)
            entries.append(start + 1 + byteCount..<end)
            start = end
        }
    }

    private mutating func closeScan(at end: Int) {
        guard let scan = openScan else { return }
        if scan.isFirstOfDC { endOfDC = end } else { otherScans.append(scan.start..<end) }
        openScan = nil
    }

    private mutating func readScan(_ body: [UInt8]) {
        let (start, end) = (Int(body[body.count - 3]), Int(body[body.count - 2]))
        let (before, now) = (body[body.count - 1] >> 4, body[body.count - 1] & 15)
        if before == 0, start == 0 { missingBitCount = max(missingBitCount, Int(now)) }
        guard start <= end, end < 64 else {
            isDamaged = true
            return
        }
        for index in stride(from: 1, to: body.count - 3, by: 2) {
            guard let component = components.firstIndex(of: body[index]) else { continue }
            for coefficient in start...end {
                let last = lowBits[component][coefficient]
                let isTurn = last == Self.nothing ? before == 0 : before == last && now + 1 == last
                isDamaged = isDamaged || !isTurn
                lowBits[component][coefficient] = now
            }
        }
    }

    private mutating func readFrame(_ body: Range<Int>) {
        guard body.count >= 6 else {
            isDamaged = true
            return
        }
        let starts = stride(from: body.lowerBound + 6, to: body.upperBound, by: 3)
        isDamaged = isDamaged || !components.isEmpty
        components = starts.map { bytes[$0] }
        lowBits = components.map { _ in [UInt8](repeating: Self.nothing, count: 64) }
        let sides = (0..<2).map { index in
            bytes[(body.lowerBound + 1 + index * 2)...].prefix(2).reduce(0) { $0 << 8 | Int($1) }
        }
        size = PixelSize(width: sides[1], height: sides[0])
        let factors = stride(from: body.lowerBound + 7, to: body.upperBound, by: 3).map {
            (horizontal: bytes[$0] >> 4, vertical: bytes[$0] & 15)
        }
        let horizontal = factors.map(\.horizontal).max() ?? 0
        let vertical = factors.map(\.vertical).max() ?? 0
        coarsest = PixelSize(
            width: Int(horizontal / max(1, factors.map(\.horizontal).min() ?? 1)),
            height: Int(vertical / max(1, factors.map(\.vertical).min() ?? 1))
        )
        let isQuarter = factors.contains { $0.horizontal < horizontal && $0.vertical < vertical }
        hasQuarterChroma = hasQuarterChroma || isQuarter
    }
}
