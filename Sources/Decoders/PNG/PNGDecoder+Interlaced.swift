/// Methods that decode interlaced files at a small size, using only the first passes.
///
/// These passes contain evenly spaced pixels of the image.
extension PNGDecoder {
    /// Returns the passes that are enough for the result, or nil if all rows must be read.
    ///
    /// The number of passes is more than `least`. If the file must be complete, all of its data is
    /// checked. If data is missing or damaged, the result is nil, so libpng reports the error.
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

    /// Makes the image from the pixels of `passes`; returns nil if more passes are needed.
    ///
    /// In a preview, only the received passes are used.
    func readGrid(
        of passes: Adam7,
        from reader: borrowing PNGReader,
        plan: DecodingPlan,
        gamma: PNGGamma?
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
        if let gamma {
            grid.withUnsafeMutableBytes { gamma.convert($0.bindMemory(to: UInt8.self)) }
        }
        var collector = RowCollector(plan: plan, step: passes.step, isPoint: true, isWhole: true)
        grid.withUnsafeBytes { collector.add($0) }
        let isFinal = passCount == passes.passCount
        return try plan.image(from: collector.finish(), isFinal: isFinal)
    }

    /// Reads `passes` into `grid` and returns the number of passes read.
    private func readPasses(
        _ passes: Adam7,
        from reader: borrowing PNGReader,
        into grid: UnsafeMutableBufferPointer<UInt32>,
        plan: DecodingPlan
    ) throws(ImageDecodingError) -> Int {
        // libpng requires memory for a row of the entire image, even for smaller passes.
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
                    // After the first pass, the blocks of received pixels cover the entire image.
                    guard plan.passesOver(error), index > 0 else { throw error }
                    return index
                }
            }
            return passes.passCount
        }
    }
}

/// Methods that decode all passes of interlaced files.
///
/// All pixels are kept in memory, because each of the seven passes contains only some of them.
extension PNGDecoder {
    func readPasses(
        from reader: borrowing PNGReader,
        header: PNGReader.Header,
        plan: DecodingPlan,
        gamma: PNGGamma?
    ) throws(ImageDecodingError) -> DecodedImage {
        let size = plan.storedSize
        var bytes = [UInt8](repeating: 0, count: size.pixelCount * 4)
        let passCount = try bytes.withUnsafeMutableBufferPointer {
            (bytes) throws(ImageDecodingError) in
            let count = try readPasses(from: reader, header: header, into: bytes, plan: plan)
            gamma?.convert(bytes)
            return count
        }
        let pixels =
            plan.isReduced
            ? try reduce(bytes, plan: plan)
            : PixelBuffer(size: size, bytes: bytes, hasAlpha: plan.hasAlpha)
        return try plan.image(from: pixels, isFinal: passCount == header.passCount)
    }

    /// Reads all passes, or the received passes in a preview, and returns the number of passes
    /// read.
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
                // After the first pass, the blocks of received pixels cover the entire image.
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
