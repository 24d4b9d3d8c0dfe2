/// Takes the rows of a picture from top to bottom and makes the picture: at full size by keeping
/// them, reduced by feeding the resampler.
struct RowCollector {
    /// Rows between two cancellation checks; also the height of the largest usual JPEG block.
    static let stripRowCount = 16

    private let size: PixelSize
    private let hasAlpha: Bool
    private let rowByteCount: Int
    private var resampler: Resampler?
    private var bytes: [UInt8] = []

    /// Makes a collector for `plan`, whose decoder hands in one sample for `step` pixels each way:
    /// their mean, or with `isPoint` the one at the upper left.
    ///
    /// `isWhole` promises that no row is missing, so that none will be transparent.
    init(plan: DecodingPlan, step: Int, isPoint: Bool = false, isWhole: Bool = false) {
        size = plan.storedSize
        hasAlpha = isWhole ? plan.properties.hasAlpha : plan.hasAlpha
        rowByteCount = (size.width + step - 1) / step * 4
        guard plan.isReduced else {
            // Reserved, not filled: pages are touched as rows arrive, so that a file which ends
            // early has not cost the memory it declared.
            bytes.reserveCapacity(size.pixelCount * 4)
            return
        }
        resampler = Resampler(
            Sampling(source: size, step: step, isPoint: isPoint),
            target: plan.storedTarget,
            hasAlpha: hasAlpha
        )
    }

    /// Makes a collector for rows of a smaller picture, of `source` pixels, that shows the same.
    init(plan: DecodingPlan, source: PixelSize) {
        size = source
        hasAlpha = plan.hasAlpha
        rowByteCount = source.width * 4
        guard source != plan.storedTarget else {
            bytes.reserveCapacity(size.pixelCount * 4)
            return
        }
        resampler = Resampler(
            Sampling(source: source, step: 1),
            target: plan.storedTarget,
            hasAlpha: hasAlpha
        )
    }

    /// The bytes beside the result that a collector for `plan` holds.
    static func workByteCount(plan: DecodingPlan) -> Int {
        plan.isReduced ? Resampler.workByteCount(width: plan.storedTarget.width) : 0
    }

    /// Adds whole rows, one after the other.
    mutating func add(_ rows: UnsafeRawBufferPointer) {
        guard resampler != nil else { return bytes.append(contentsOf: rows) }
        resampler?.add(rows)
    }

    /// Adds up to `rowCount` rows that `read` writes, a strip at a time; returns how many came.
    ///
    /// `read` gets room for the number of rows it is told, from row `row` on, and returns how many
    /// it has written; 0 means that no more come.
    mutating func collect(
        rowCount: Int,
        plan: DecodingPlan,
        read: (
            _ strip: UnsafeMutableBufferPointer<UInt8>, _ row: Int, _ rowCount: Int
        ) throws(ImageDecodingError) -> Int
    ) throws(ImageDecodingError) -> Int {
        let stripByteCount = rowByteCount * min(rowCount, Self.stripRowCount)
        var strip = [UInt8](repeating: 0, count: stripByteCount)
        var row = 0
        while row < rowCount {
            try plan.checkCancellation()
            let count = try strip.withUnsafeMutableBufferPointer {
                (strip) throws(ImageDecodingError) in
                let count = try read(strip, row, min(Self.stripRowCount, rowCount - row))
                let rows = UnsafeRawBufferPointer(strip)[..<(count * rowByteCount)]
                add(UnsafeRawBufferPointer(rebasing: rows))
                return count
            }
            guard count > 0 else { break }
            row += count
        }
        return row
    }

    /// Adds transparent rows in place of those that have not come.
    mutating func addMissing(rowCount: Int) {
        let row = [UInt8](repeating: 0, count: rowByteCount)
        for _ in 0..<rowCount { row.withUnsafeBytes { add($0) } }
    }

    /// The picture, still as it was stored.
    consuming func finish() -> PixelBuffer {
        resampler?.finish() ?? PixelBuffer(size: size, bytes: bytes, hasAlpha: hasAlpha)
    }
}
