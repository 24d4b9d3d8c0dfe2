/// The blocks of a scan's MCUs and the tables for them, prepared before the scan's data is read.
struct DCScanLayout {
    /// The blocks of one component in each MCU.
    struct Part {
        /// The indices of the blocks in the MCU.
        let blocks: Range<Int>
        /// The distances in the plane from an MCU to the next one in its row, and from one row of
        /// MCUs to the next.
        let columnStep: Int
        let rowStep: Int
        /// The index of the component's set of tables in `huffmanTables`; unused in a refinement
        /// scan.
        let tableSet: Int
        /// The quantizers of the component.
        ///
        /// A DC value times the quantizer of the mean is eight times the sample.
        let quantizer: JPEGQuantizer
    }

    /// The maximum number of missing low bits; encoders omit 1 or 2 bits from the first scan.
    private static let maximumMissingBitCount = 10

    /// The maximum number of blocks in an MCU (T.81, B.2.3).
    static let maximumBlockCount = 10

    private(set) var parts: [Part] = []
    /// For each block in the first MCU, the index of the block's value in `DCPlanes.values`.
    private(set) var blockStarts: [Int] = []
    private(set) var huffmanTables = HuffmanTables()
    let columns: Int
    let rows: Int
    let restartInterval: Int
    /// The number of low bits of the DC values that are not in the scan (the point transform of
    /// T.81).
    let missingBitCount: Int

    /// Creates a layout; returns nil if a table is missing or the MCU has too many blocks.
    init?(scan: JPEGScan, frame: JPEGFrame, tables: JPEGTables, planes: DCPlanes) {
        restartInterval = tables.restartInterval
        missingBitCount = Int(scan.approximationLow)
        guard missingBitCount <= Self.maximumMissingBitCount else { return nil }
        let isAlone = scan.parts.count == 1
        (columns, rows) =
            isAlone
            ? frame.blockCount(of: frame.components[scan.parts[0].component]) : frame.mcuCount
        for part in scan.parts {
            let component = frame.components[part.component]
            guard let quantizer = tables.quantizers[component.quantizer] else { return nil }
            var set = 0
            if !scan.isRefinement {
                guard let codes = Self.codes(of: part, frame: frame, tables: tables) else {
                    return nil
                }
                set = huffmanTables.set(of: codes)
            }
            let (width, height) = isAlone ? (1, 1) : (component.horizontal, component.vertical)
            let plane = planes.planes[part.component]
            let first = blockStarts.count
            blockStarts += (0..<width * height).map { position in
                plane.start + position / width * plane.stride + position % width
            }
            parts.append(
                Part(
                    blocks: first..<blockStarts.count,
                    columnStep: width,
                    rowStep: height * plane.stride,
                    tableSet: set,
                    quantizer: quantizer
                )
            )
        }
        guard isAlone || blockStarts.count <= Self.maximumBlockCount else { return nil }
    }

    private static func codes(
        of part: JPEGScan.Part,
        frame: JPEGFrame,
        tables: JPEGTables
    ) -> HuffmanTables.Codes? {
        guard let dc = tables.dcCodes[part.dcTable], dc.isUsableForDC else { return nil }
        guard !frame.isProgressive else { return HuffmanTables.Codes(dc: dc, ac: nil) }
        return tables.acCodes[part.acTable].map { HuffmanTables.Codes(dc: dc, ac: $0) }
    }

    /// The highest index in `DCPlanes.values` that a scan with this layout writes.
    var lastIndex: Int {
        parts.reduce(0) { highest, part in
            let way = (columns - 1) * part.columnStep + (rows - 1) * part.rowStep
            return max(highest, (blockStarts[part.blocks].max() ?? 0) + way)
        }
    }
}
