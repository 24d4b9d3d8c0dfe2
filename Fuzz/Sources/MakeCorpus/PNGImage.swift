import DecoderContracts

/// A PNG whose pixels are stored without compression, so that a change of a byte changes only a
/// pixel or a filter.
struct PNGImage {
    typealias Chunk = (type: String, data: [UInt8])

    var colorType = 2
    var depth = 8
    var isInterlaced = false { didSet { header[12] = isInterlaced ? 1 : 0 } }
    var width = 21
    var height = 13
    /// The number of rows of data, instead of the number that the size requires.
    var rowCount: Int?
    /// The filter of each row.
    var filter: (Int) -> UInt8 = { UInt8($0 % 5) }
    var stream: ([UInt8]) -> [UInt8] = { StoredZlib.wrap($0) }
    var palette: [UInt8]? = noise(48)
    /// The chunks before the palette, after it, between the pixels, and after them.
    var first: [Chunk] = []
    var early: [Chunk] = []
    var between: [Chunk] = []
    var late: [Chunk] = []
    var pieceByteCount = Int.max
    var hasEmptyPieces = false
    /// The header; sides, depth and color type are filled in unless they were changed here.
    var header: [UInt8] = [UInt8](repeating: 0xEE, count: 10) + [0, 0, 0]

    var bytes: [UInt8] {
        var chunks: [Chunk] = [("IHDR", wholeHeader)] + first
        if let palette, colorType == 3 || palette.count != 48 {
            chunks.append(
                (
                    "PLTE",
                    colorType == 3 && depth < 4 && palette.count == 48
                        ? Array(palette.prefix(3 << depth)) : palette
                )
            )
        }
        chunks += early + pieces + late + [("IEND", [])]
        return PNGChunk.joined(chunks.map { PNGChunk(type: $0.type, data: $0.data) })
    }

    private var wholeHeader: [UInt8] {
        let meant = bigEndian(width, 4) + bigEndian(height, 4) + [UInt8(depth), UInt8(colorType)]
        return header.enumerated().map { index, byte in
            index < 10 && byte == 0xEE ? meant[index] : byte
        }
    }

    private var pieces: [Chunk] {
        var rest = stream(rows())[...]
        var pieces: [Chunk] = []
        repeat {
            if !pieces.isEmpty { pieces += between }
            if hasEmptyPieces { pieces.append(("IDAT", [])) }
            pieces.append(("IDAT", Array(rest.prefix(pieceByteCount))))
            rest = rest.dropFirst(pieceByteCount)
        } while !rest.isEmpty
        return pieces
    }

    private func rows() -> [UInt8] {
        let passes =
            isInterlaced
            ? [
                (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
                (0, 1, 1, 2),
            ]
            : [(0, 0, 1, 1)]
        let sides = passes.map { column, row, right, down in
            ((width - column + right - 1) / right, (height - row + down - 1) / down)
        }
        let lengths = sides.flatMap { width, height in
            Array(repeating: width, count: width > 0 ? max(0, height) : 0)
        }
        let channels = [1, 0, 3, 1, 2, 0, 4][colorType]
        let count = rowCount ?? lengths.count
        return (0..<count).flatMap { row in
            let length = lengths[row % lengths.count]
            return [filter(row)] + noise((length * channels * depth + 7) / 8, seed: row / 3)
        }
    }
}
