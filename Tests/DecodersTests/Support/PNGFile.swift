/// A PNG of any colour type, depth and interlace, written without libpng, so that decoder and
/// expectation share no code: filter 0 throughout, stored deflate blocks.
struct PNGFile {
    enum ColorType: UInt8, CaseIterable {
        case grey = 0
        case rgb = 2
        case palette = 3
        case greyAlpha = 4
        case rgba = 6

        var channelCount: Int { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][Int(rawValue)] ?? 0 }
        var depths: [Int] {
            switch self {
            case .grey: [1, 2, 4, 8, 16]
            case .palette: [1, 2, 4, 8]
            default: [8, 16]
            }
        }
    }

    var colorType: ColorType
    var depth: Int
    var isInterlaced = false
    var width: Int
    var height: Int
    /// Chunks between IHDR and IDAT: PLTE, tRNS, gAMA and so on.
    var chunks: [(type: String, data: [UInt8])] = []
    /// Chunks between IDAT and IEND.
    var lateChunks: [(type: String, data: [UInt8])] = []
    /// The samples of the pixel at (x, y), one a channel.
    var samples: (Int, Int) -> [Int]

    /// The file.
    func encoded() -> [UInt8] {
        let header =
            Self.number(width) + Self.number(height)
            + [UInt8(depth), colorType.rawValue, 0, 0, isInterlaced ? 1 : 0]
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += Self.chunk("IHDR", header)
        for chunk in chunks { file += Self.chunk(chunk.type, chunk.data) }
        file += Self.chunk("IDAT", Self.deflated(rows()))
        for chunk in lateChunks { file += Self.chunk(chunk.type, chunk.data) }
        return file + Self.chunk("IEND", [])
    }

    /// First column, first row, column step, row step of Adam7's passes.
    private static let passes = [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
        (0, 1, 1, 2),
    ]

    private func rows() -> [UInt8] {
        (isInterlaced ? Self.passes : [(0, 0, 1, 1)]).flatMap { column, row, right, down in
            let columns = Array(stride(from: column, to: width, by: right))
            guard !columns.isEmpty else { return [UInt8]() }
            return stride(from: row, to: height, by: down).flatMap { y in
                [0] + packed(columns.flatMap { samples($0, y) })
            }
        }
    }

    /// Samples as bits, most significant first, padded to whole bytes.
    private func packed(_ samples: [Int]) -> [UInt8] {
        guard depth < 16 else {
            return samples.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        }
        let perByte = 8 / depth
        return stride(from: 0, to: samples.count, by: perByte).map { start in
            (0..<perByte).reduce(UInt8(0)) { byte, index in
                let sample = start + index < samples.count ? samples[start + index] : 0
                return byte | UInt8(sample << (8 - depth * (index + 1)))
            }
        }
    }

    // MARK: - Framing

    static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return number(data.count) + body + number(Int(checksum(body)))
    }

    /// CRC-32 of ISO 3309.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { bits, _ in
                bits & 1 == 1 ? 0xEDB8_8320 ^ (bits >> 1) : bits >> 1
            }
        }
    }

    /// A zlib stream of stored blocks.
    static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: bytes.count, by: 65535) {
            let block = bytes[start..<min(start + 65535, bytes.count)]
            let (low, high) = (UInt8(block.count & 255), UInt8(block.count >> 8))
            stream += [block.endIndex == bytes.count ? 1 : 0, low, high, ~low, ~high] + block
        }
        let (first, second) = bytes.reduce((1, 0)) { sums, byte in
            let first = (sums.0 + Int(byte)) % 65521
            return (first, (sums.1 + first) % 65521)
        }
        return stream + number(second << 16 | first)
    }
}
