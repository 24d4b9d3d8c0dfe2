/// The way around libpng for plain pictures of moderate size: libdeflate inflates the whole, our own
/// loops undo the filters.
///
/// Debian's libpng undoes filters a byte at a time, and zlib takes about twice as long as libdeflate.
/// libpng has read the header, so what stands before the pixels and its errors are libpng's. What
/// comes after must be in perfect order, checksums included; with any doubt libpng decodes, and
/// judges. (One thing it would refuse is let pass: codes with gaps in a stream whose checksums are
/// right, which no compressor writes.)
extension PNGDecoder {
    /// Above this many bytes of rows, holding them all costs more memory than time is worth.
    private static let maximumRowsByteCount = 32 << 20

    /// The pixels, or nil if they are left to libpng.
    func fastPixels(
        of bytes: UnsafeBufferPointer<UInt8>,
        reader: borrowing PNGReader,
        plan: DecodingPlan
    ) throws(DecodingError) -> PixelBuffer? {
        guard plan.usesFastPaths, !plan.properties.isProgressive,
            let layout = reader.layout(of: plan.storedSize),
            layout.byteCount <= Self.maximumRowsByteCount,
            let data = PNGImageData(bytes, at: layout.dataOffset),
            isAffordable(data, layout: layout, plan: plan),
            data.isIntact
        else { return nil }
        try plan.checkCancellation()
        guard let rows = PNGInflatedRows(data, layout: layout) else { return nil }
        return try pixels(of: rows, layout: layout, plan: plan)
    }

    /// Whether the limit leaves room; libpng makes do with a few rows.
    private func isAffordable(
        _ data: PNGImageData,
        layout: PNGLayout,
        plan: DecodingPlan
    ) -> Bool {
        let strip = PNGStrip.byteCount(
            width: layout.size.width,
            rowCapacity: Self.stripRowCount
        )
        let byteCount = PNGInflatedRows.byteCount(data, layout: layout)
            .saturatingAdd(strip + RowCollector.workByteCount(plan: plan))
        do throws(DecodingError) {
            try plan.checkMemory(byteCount)
            return true
        } catch {
            return false
        }
    }

    private func pixels(
        of rows: borrowing PNGInflatedRows,
        layout: PNGLayout,
        plan: DecodingPlan
    ) throws(DecodingError) -> PixelBuffer? {
        var collector = RowCollector(plan: plan, step: 1, isWhole: true)
        var strip = PNGStrip(layout: layout, rowCapacity: Self.stripRowCount)
        let height = layout.size.height
        for row in stride(from: 0, to: height, by: Self.stripRowCount) {
            try plan.checkCancellation()
            let rowCount = min(Self.stripRowCount, height - row)
            guard strip.fill(from: rows.start(of: row), rowCount: rowCount) else { return nil }
            collector.add(strip.pixels)
        }
        return collector.finish()
    }
}
