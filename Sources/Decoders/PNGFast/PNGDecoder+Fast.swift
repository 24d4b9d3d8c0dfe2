/// The way around libpng for plain pictures: our own loops undo the filters, and libdeflate inflates
/// the whole where all rows have a moderate size.
///
/// Debian's libpng undoes filters a byte at a time, and zlib takes about twice as long as libdeflate.
/// libpng has read the header, so what stands before the pixels and its errors are libpng's. What
/// comes after must be in perfect order, checksums included; with any doubt libpng decodes, and
/// judges. (One thing it would refuse is let pass: codes with gaps in a stream whose checksums are
/// right, which no compressor writes.)
extension PNGDecoder {
    /// Above this many bytes of rows, holding them all costs more memory than time is worth.
    static let maximumRowsByteCount = 32 << 20

    /// The bytes of R, G, B, A that are worked on at a time: they should stay in the cache.
    private static let stripByteCount = 128 << 10

    /// The pixels, or nil if they are left to libpng; rows of more than `limit` bytes are inflated a
    /// few at a time.
    func fastPixels(
        of bytes: UnsafeBufferPointer<UInt8>,
        reader: borrowing PNGReader,
        plan: DecodingPlan,
        limit: Int = maximumRowsByteCount
    ) throws(ImageDecodingError) -> PixelBuffer? {
        guard plan.usesFastPaths, !plan.properties.isProgressive,
            let layout = reader.layout(of: plan.storedSize),
            let data = PNGImageData(bytes, at: layout.dataOffset),
            data.isFollowed || !plan.acceptsTruncation
        else { return nil }
        try plan.checkCancellation()
        if layout.byteCount <= limit,
            isAffordable(PNGInflatedRows.byteCount(data, layout: layout), layout, plan)
        {
            guard data.isIntact, let rows = PNGInflatedRows(data, layout: layout) else {
                return nil
            }
            return try pixels(of: rows, layout: layout, plan: plan)
        }
        let rowCapacity = rowCapacity(layout)
        let byteCount = PNGStreamedRows.byteCount(layout: layout, rowCapacity: rowCapacity)
        guard isAffordable(byteCount, layout, plan),
            let rows = PNGStreamedRows(data, layout: layout, rowCapacity: rowCapacity)
        else { return nil }
        return try pixels(of: rows, layout: layout, plan: plan)
    }

    private func rowCapacity(_ layout: PNGLayout) -> Int {
        min(RowCollector.stripRowCount, max(1, Self.stripByteCount / (layout.size.width * 4)))
    }

    /// Whether the limit has room for rows of `byteCount` and what is made of them; libpng makes do
    /// with less.
    private func isAffordable(_ byteCount: Int, _ layout: PNGLayout, _ plan: DecodingPlan) -> Bool {
        let strip = PNGStrip.byteCount(
            width: layout.size.width,
            rowCapacity: rowCapacity(layout)
        )
        do throws(ImageDecodingError) {
            try plan.checkMemory(
                byteCount.saturatingAdd(strip + RowCollector.workByteCount(plan: plan))
            )
            return true
        } catch {
            return false
        }
    }

    private func pixels<Rows: PNGRowSource & ~Copyable>(
        of rows: consuming Rows,
        layout: PNGLayout,
        plan: DecodingPlan
    ) throws(ImageDecodingError) -> PixelBuffer? {
        let rowCapacity = rowCapacity(layout)
        var collector = RowCollector(plan: plan, step: 1, isWhole: true)
        var strip = PNGStrip(layout: layout, rowCapacity: rowCapacity)
        for row in stride(from: 0, to: layout.size.height, by: rowCapacity) {
            try plan.checkCancellation()
            let rowCount = min(rowCapacity, layout.size.height - row)
            guard let source = rows.next(rowCount: rowCount),
                strip.fill(from: source, rowCount: rowCount)
            else { return nil }
            collector.add(strip.pixels)
        }
        return rows.isAtEnd() ? collector.finish() : nil
    }
}
