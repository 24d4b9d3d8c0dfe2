/// The blocks of a scan's MCU, and the tables they need, worked out before its data are read.
struct DCScanLayout {
    /// One block of each MCU.
    struct Block {
        /// The index of its component in the scan, for the prediction.
        let part: Int
        /// Where its sample lies for the first MCU, and how far on for the next column and row.
        let start: Int
        let columnStep: Int
        let rowStep: Int
        /// Where its look-ups start in `lookups`.
        let dcStart: Int
        let acStart: Int
        /// Its codes in `codes`.
        let dcCode: Int
        let acCode: Int
        /// What turns a DC value into eight times the sample.
        let quantizer: Int
    }

    /// Blocks an MCU may have (T.81, B.2.3).
    static let maximumBlockCount = 10

    private(set) var blocks: [Block] = []
    /// The tables of `DCHuffmanCode.singles` and `DCSkip`, one behind the other.
    private(set) var lookups: [UInt16] = []
    private(set) var codes: [DCHuffmanCode] = []
    let columns: Int
    let rows: Int
    let restartInterval: Int
    let isProgressive: Bool
    /// The point transform: low bits of the DC values that this scan does not have.
    let missingBitCount: Int

    /// Nil if a table is missing or the MCU has too many blocks.
    init?(scan: DCScan, frame: DCFrame, parser: DCMarkerParser, planes: DCPlanes) {
        restartInterval = parser.restartInterval
        isProgressive = frame.isProgressive
        missingBitCount = Int(scan.approximationLow)
        guard missingBitCount <= 13 else { return nil }
        let isAlone = scan.parts.count == 1
        (columns, rows) =
            isAlone
            ? frame.blockCount(of: frame.components[scan.parts[0].component]) : frame.mcuCount
        var slots: [Int: (code: Int, start: Int)] = [:]
        for (index, part) in scan.parts.enumerated() {
            let component = frame.components[part.component]
            guard let quantizer = parser.quantizers[component.quantizer],
                let dcCode = parser.dcCodes[part.dcTable], dcCode.isUsableForDC
            else { return nil }
            let dc = slot(part.dcTable, of: dcCode, in: &slots) {
                $0.singles(bitCount: DCDifference.lookupBitCount)
            }
            var ac = (code: 0, start: 0)
            if !isProgressive {
                guard let acCode = parser.acCodes[part.acTable] else { return nil }
                ac = slot(4 + part.acTable, of: acCode, in: &slots, build: DCSkip.lookups)
            }
            let (width, height) = isAlone ? (1, 1) : (component.horizontal, component.vertical)
            let plane = planes.planes[part.component]
            for position in 0..<width * height {
                blocks.append(
                    Block(
                        part: index,
                        start: plane.start + position / width * plane.stride + position % width,
                        columnStep: width,
                        rowStep: height * plane.stride,
                        dcStart: dc.start,
                        acStart: ac.start,
                        dcCode: dc.code,
                        acCode: ac.code,
                        quantizer: quantizer
                    )
                )
            }
        }
        guard isAlone || blocks.count <= Self.maximumBlockCount else { return nil }
    }

    /// The highest index of a sample that a scan of these blocks writes.
    var lastIndex: Int {
        blocks.reduce(0) { highest, block in
            max(
                highest,
                block.start + (columns - 1) * block.columnStep + (rows - 1) * block.rowStep
            )
        }
    }

    /// The place of a table, which is built the first time it is asked for.
    private mutating func slot(
        _ key: Int,
        of code: DCHuffmanCode,
        in slots: inout [Int: (code: Int, start: Int)],
        build: (DCHuffmanCode) -> [UInt16]
    ) -> (code: Int, start: Int) {
        if let slot = slots[key] { return slot }
        let slot = (code: codes.count, start: lookups.count)
        codes.append(code)
        lookups += build(code)
        slots[key] = slot
        return slot
    }
}
