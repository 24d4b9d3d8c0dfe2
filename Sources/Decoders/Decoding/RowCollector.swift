/// Assembles an image from rows that are added from top to bottom.
///
/// At full size, the rows are stored; for a reduced image, they are passed to the resampler.
struct RowCollector {
    /// The number of rows between two cancellation checks.
    ///
    /// The value is also the height of the largest common JPEG MCU in pixels.
    static let stripRowCount = 16

    private let size: PixelSize
    private let hasAlpha: Bool
    private let rowByteCount: Int
    private var resampler: Resampler?
    private var bytes: [UInt8] = []

    /// Creates a collector for a decoder that supplies one sample per `step` pixels in each
    /// direction.
    ///
    /// A sample is the mean of its pixels. If `isPoint` is true, it is the upper left pixel
    /// instead. If `isWhole` is true, the decoder guarantees that no row is missing, so missing
    /// rows need no transparency.
    init(plan: DecodingPlan, step: Int, isPoint: Bool = false, isWhole: Bool = false) {
        size = plan.storedSize
        hasAlpha = isWhole ? plan.properties.hasAlpha : plan.hasAlpha
        rowByteCount = (size.width + step - 1) / step * 4
        guard plan.isReduced else {
            // The memory is reserved but not filled. Pages are touched as rows arrive, so a
            // truncated file does not use the memory it declared.
            bytes.reserveCapacity(size.pixelCount * 4)
            return
        }
        resampler = Resampler(
            Sampling(source: size, step: step, isPoint: isPoint),
            target: plan.storedTarget,
            hasAlpha: hasAlpha
        )
    }

    /// Creates a collector for rows that the decoding library has already scaled to the size
    /// `source`.
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

    /// Returns the working memory, in bytes, that a collector for `plan` needs in addition to the
    /// result.
    static func workByteCount(plan: DecodingPlan) -> Int {
        plan.isReduced ? Resampler.workByteCount(width: plan.storedTarget.width) : 0
    }

    /// Adds complete rows.
    mutating func add(_ rows: UnsafeRawBufferPointer) {
        guard resampler != nil else { return bytes.append(contentsOf: rows) }
        resampler?.add(rows)
    }

    /// Adds up to `rowCount` rows, one strip at a time, and returns the number of rows added.
    ///
    /// `read` writes the requested number of rows, starting at `row`, into a buffer and returns the
    /// number of rows written, or 0 at the end of the image.
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

    /// Adds up to `rowCount` rows that `read` writes one at a time, and returns the number of rows
    /// added.
    ///
    /// If `read` throws an error that `plan` passes over, the image ends before that row, and the
    /// error is returned as `damage`.
    mutating func collectRows(
        rowCount: Int,
        plan: DecodingPlan,
        read: (
            _ row: Int, _ output: UnsafeMutableBufferPointer<UInt8>
        ) throws(ImageDecodingError) -> Void
    ) throws(ImageDecodingError) -> (count: Int, damage: ImageDecodingError?) {
        let rowByteCount = rowByteCount
        var damage: ImageDecodingError?
        let count = try collect(rowCount: rowCount, plan: plan) {
            (strip, row, rowCount) throws(ImageDecodingError) in
            guard damage == nil else { return 0 }
            for index in 0..<rowCount {
                let range = (index * rowByteCount)..<((index + 1) * rowByteCount)
                do throws(ImageDecodingError) {
                    try read(row + index, UnsafeMutableBufferPointer(rebasing: strip[range]))
                } catch {
                    guard plan.passesOver(error) else { throw error }
                    damage = error
                    return index
                }
            }
            return rowCount
        }
        return (count, damage)
    }

    /// Adds transparent rows for missing rows.
    ///
    /// For a reduced image, the running time does not depend on `rowCount`: the header of a
    /// truncated file can declare billions of rows.
    mutating func addMissing(rowCount: Int) {
        guard rowCount > 0 else { return }
        guard resampler != nil else {
            return bytes.append(contentsOf: repeatElement(0, count: rowByteCount * rowCount))
        }
        resampler?.addTransparent(rowCount: rowCount)
    }

    /// Returns the image as stored, before it is rotated upright.
    consuming func finish() -> PixelBuffer {
        resampler?.finish() ?? PixelBuffer(size: size, bytes: bytes, hasAlpha: hasAlpha)
    }
}
