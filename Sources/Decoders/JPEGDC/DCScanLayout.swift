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
        /// The set of its tables in `lookups`.
        let set: Int
        /// What turns a DC value into eight times the sample.
        let quantizer: Int
    }

    /// Blocks an MCU may have (T.81, B.2.3).
    static let maximumBlockCount = 10

    private(set) var blocks: [Block] = []
    private(set) var lookups = DCLookups()
    let columns: Int
    let rows: Int
    let restartInterval: Int
    /// The point transform: low bits of the DC values that this scan does not have.
    let missingBitCount: Int

    /// Nil if a table is missing or the MCU has too many blocks.
    init?(scan: DCScan, frame: DCFrame, parser: DCMarkerParser, planes: DCPlanes) {
        restartInterval = parser.restartInterval
        missingBitCount = Int(scan.approximationLow)
        guard missingBitCount <= 13 else { return nil }
        let isAlone = scan.parts.count == 1
        (columns, rows) =
            isAlone
            ? frame.blockCount(of: frame.components[scan.parts[0].component]) : frame.mcuCount
        for (index, part) in scan.parts.enumerated() {
            let component = frame.components[part.component]
            guard let quantizer = parser.quantizers[component.quantizer],
                let codes = Self.codes(of: part, frame: frame, parser: parser)
            else { return nil }
            let set = lookups.set(of: codes)
            let (width, height) = isAlone ? (1, 1) : (component.horizontal, component.vertical)
            let plane = planes.planes[part.component]
            for position in 0..<width * height {
                blocks.append(
                    Block(
                        part: index,
                        start: plane.start + position / width * plane.stride + position % width,
                        columnStep: width,
                        rowStep: height * plane.stride,
                        set: set,
                        quantizer: quantizer
                    )
                )
            }
        }
        guard isAlone || blocks.count <= Self.maximumBlockCount else { return nil }
    }

    private static func codes(
        of part: DCScan.Part,
        frame: DCFrame,
        parser: DCMarkerParser
    ) -> DCLookups.Codes? {
        guard let dc = parser.dcCodes[part.dcTable], dc.isUsableForDC else { return nil }
        guard !frame.isProgressive else { return DCLookups.Codes(dc: dc, ac: nil) }
        return parser.acCodes[part.acTable].map { DCLookups.Codes(dc: dc, ac: $0) }
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
}
