extension JPEGDecoder {
    /// The picture from the file's DC coefficients, where they suffice and nothing is unusual; final
    /// in any case.
    func pixelsOfDC(
        _ bytes: [UInt8],
        plan: DecodingPlan,
        scale: JPEGScale
    ) throws(ImageDecodingError) -> PixelBuffer? {
        guard plan.usesFastPaths, scale == .eighth,
            plan.storedSize.pixelCount >= DCDecoder.minimumPixelCount,
            let picture = try DCDecoder.decode(bytes, plan: plan)
        else { return nil }
        var collector = RowCollector(plan: plan, step: scale.rawValue, isWhole: true)
        let size = picture.planes.size
        let rowByteCount = size.width * 4
        var strip = [UInt8](repeating: 0, count: rowByteCount * Self.stripRowCount)
        for row in stride(from: 0, to: size.height, by: Self.stripRowCount) {
            strip.withUnsafeMutableBufferPointer { strip in
                let rowCount = picture.convert(row: row, into: strip)
                collector.add(
                    UnsafeRawBufferPointer(
                        rebasing: UnsafeRawBufferPointer(strip)[..<(rowCount * rowByteCount)]
                    )
                )
            }
        }
        return collector.finish()
    }
}
