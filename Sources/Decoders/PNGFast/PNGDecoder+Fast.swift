/// Methods that decode non-interlaced images without libpng.
///
/// Swift loops undo the filters. If the rows have at most `maximumRowsByteCount` bytes, libdeflate
/// inflates all data at once.
///
/// Debian's libpng undoes filters one byte at a time, and zlib takes about twice as long as
/// libdeflate. libpng has already read the header and reported its errors. Everything after the
/// header must be completely valid, including checksums. Otherwise, libpng decodes the file and
/// reports the error. There is one exception: incomplete Huffman codes in a stream with correct
/// checksums are accepted, although libpng would reject them. No compressor writes such codes.
extension PNGDecoder {
    /// The maximum total size of the rows, in bytes, of an image that is inflated at once.
    ///
    /// For larger images, the time saved is not worth the memory.
    static let maximumRowsByteCount = 32 << 20

    /// The maximum number of R, G, B, A bytes that are processed at a time, which must fit into the
    /// processor's cache.
    private static let stripByteCount = 128 << 10

    /// Returns the pixels, or nil if libpng must decode the file.
    ///
    /// If the rows have more than `limit` bytes in total, they are inflated a few at a time.
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
            isAffordable(
                PNGInflatedRows.byteCount(data, layout: layout),
                layout: layout,
                plan: plan
            )
        {
            guard data.isIntact, let rows = PNGInflatedRows(data, layout: layout) else {
                return nil
            }
            return try pixels(of: rows, layout: layout, plan: plan)
        }
        let rowCapacity = rowCapacity(layout)
        let byteCount = PNGStreamedRows.byteCount(layout: layout, rowCapacity: rowCapacity)
        guard isAffordable(byteCount, layout: layout, plan: plan),
            let rows = PNGStreamedRows(data, layout: layout, rowCapacity: rowCapacity)
        else { return nil }
        return try pixels(of: rows, layout: layout, plan: plan)
    }

    private func rowCapacity(_ layout: PNGLayout) -> Int {
        min(RowCollector.stripRowCount, max(1, Self.stripByteCount / (layout.size.width * 4)))
    }

    /// Returns whether rows of `byteCount` bytes and their pixels fit into the memory limit.
    ///
    /// If not, libpng is used, which needs less memory.
    private func isAffordable(_ byteCount: Int, layout: PNGLayout, plan: DecodingPlan) -> Bool {
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
