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
        return try image(from: pixels, isFinal: passCount == header.passCount, plan: plan)
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
                let isUsable = plan.acceptsTruncation && error == .truncated(.png) && pass > 0
                guard isUsable else { throw error }
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
        let stripByteCount = plan.storedSize.width * 4 * Self.stripRowCount
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
        for row in stride(from: 0, to: size.height, by: Self.stripRowCount) {
            try plan.checkCancellation()
            try reader.readRows(
                into: UnsafeMutableBufferPointer(rebasing: bytes[(row * size.width * 4)...]),
                rowCount: min(Self.stripRowCount, size.height - row),
                fillsBlocks: plan.acceptsTruncation
            )
        }
    }
}
