/// Interlaced files for a small result: the first passes alone, which hold pixels of the picture in
/// even distances.
extension PNGDecoder {
    /// The passes, more than `least`, to finish early with; nil if all rows are read.
    ///
    /// A file that must be whole is looked over up to its end: what is missing or damaged there is
    /// an error, whether its pixels are needed or not, and libpng names it.
    func earlyFinishPasses(
        of bytes: UnsafeBufferPointer<UInt8>,
        reader: borrowing PNGReader,
        plan: DecodingPlan,
        moreThan least: Int
    ) -> Adam7? {
        guard plan.usesFastPaths, plan.properties.isProgressive,
            let passes = Adam7(of: plan.storedSize, for: plan.storedTarget, moreThan: least)
        else { return nil }
        guard !plan.acceptsTruncation else { return passes }
        guard let data = PNGImageData(bytes, at: reader.dataOffset),
            data.isFollowed, data.isIntact
        else { return nil }
        return passes
    }

    /// Reads `passes`, or of a preview those that have come; nil if all have, and the picture needs more
    /// of them all the same.
    func readGrid(
        of passes: Adam7,
        from reader: borrowing PNGReader,
        plan: DecodingPlan
    ) throws(ImageDecodingError) -> DecodedImage? {
        var grid = [UInt32](repeating: 0, count: passes.gridSize.pixelCount)
        let passCount = try grid.withUnsafeMutableBufferPointer {
            (grid) throws(ImageDecodingError) -> Int? in
            let count = try readPasses(passes, from: reader, into: grid, plan: plan)
            let isEnough =
                count < passes.passCount || passes.isSufficient(grid, for: plan.storedTarget)
            return isEnough ? count : nil
        }
        try plan.checkCancellation()
        guard let passCount else { return nil }
        var collector = RowCollector(plan: plan, step: passes.step, isPoint: true, isWhole: true)
        grid.withUnsafeBytes { collector.add($0) }
        let isFinal = passCount == passes.passCount
        return try plan.image(from: collector.finish(), isFinal: isFinal)
    }

    /// Returns how many passes have been read.
    private func readPasses(
        _ passes: Adam7,
        from reader: borrowing PNGReader,
        into grid: UnsafeMutableBufferPointer<UInt32>,
        plan: DecodingPlan
    ) throws(ImageDecodingError) -> Int {
        // libpng wants room for a row of the picture, whatever the pass has.
        var row = [UInt32](repeating: 0, count: plan.storedSize.width)
        return try row.withUnsafeMutableBufferPointer { (row) throws(ImageDecodingError) -> Int in
            for (index, pass) in Adam7.passes[..<passes.passCount].enumerated() {
                let size = pass.size(in: plan.storedSize)
                do throws(ImageDecodingError) {
                    for y in 0..<size.height {
                        if y % RowCollector.stripRowCount == 0 { try plan.checkCancellation() }
                        try reader.readPassRow(into: UnsafeMutableRawBufferPointer(row))
                        let pixels = UnsafeBufferPointer(rebasing: row[..<size.width])
                        passes.spread(pixels, row: y, of: pass, into: grid)
                    }
                } catch {
                    // With one pass in, every pixel stands in the block of one that has come.
                    guard plan.passesOver(error), index > 0 else { throw error }
                    return index
                }
            }
            return passes.passCount
        }
    }
}

/// Interlaced files: all pixels are held, and each of the seven passes fills some of them in.
extension PNGDecoder {
    func readPasses(
        from reader: borrowing PNGReader,
        header: PNGReader.Header,
        plan: DecodingPlan
    ) throws(ImageDecodingError) -> DecodedImage {
        let size = plan.storedSize
        var bytes = [UInt8](repeating: 0, count: size.pixelCount * 4)
        let passCount = try bytes.withUnsafeMutableBufferPointer {
            (bytes) throws(ImageDecodingError) in
            try readPasses(from: reader, header: header, into: bytes, plan: plan)
        }
        let pixels =
            plan.isReduced
            ? try reduce(bytes, plan: plan)
            : PixelBuffer(size: size, bytes: bytes, hasAlpha: plan.hasAlpha)
        return try plan.image(from: pixels, isFinal: passCount == header.passCount)
    }

    /// Reads all passes, or of a preview those that have come; returns how many.
    private func readPasses(
        from reader: borrowing PNGReader,
        header: PNGReader.Header,
        into bytes: UnsafeMutableBufferPointer<UInt8>,
        plan: DecodingPlan
    ) throws(ImageDecodingError) -> Int {
        for pass in 0..<header.passCount {
            do {
                try readPass(from: reader, into: bytes, plan: plan)
            } catch {
                // With one pass in, every pixel stands in the block of one that has come.
                guard plan.passesOver(error), pass > 0 else { throw error }
                return pass
            }
        }
        return header.passCount
    }

    private func reduce(
        _ bytes: [UInt8],
        plan: DecodingPlan
    ) throws(ImageDecodingError) -> PixelBuffer {
        var collector = RowCollector(plan: plan, step: 1)
        let stripByteCount = plan.storedSize.width * 4 * RowCollector.stripRowCount
        for start in stride(from: 0, to: bytes.count, by: stripByteCount) {
            try plan.checkCancellation()
            bytes.withUnsafeBytes { bytes in
                let end = min(start + stripByteCount, bytes.count)
                collector.add(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            }
        }
        return collector.finish()
    }

    private func readPass(
        from reader: borrowing PNGReader,
        into bytes: UnsafeMutableBufferPointer<UInt8>,
        plan: DecodingPlan
    ) throws(ImageDecodingError) {
        let size = plan.storedSize
        for row in stride(from: 0, to: size.height, by: RowCollector.stripRowCount) {
            try plan.checkCancellation()
            try reader.readRows(
                into: UnsafeMutableBufferPointer(rebasing: bytes[(row * size.width * 4)...]),
                rowCount: min(RowCollector.stripRowCount, size.height - row),
                fillsBlocks: plan.acceptsTruncation
            )
        }
    }
}
