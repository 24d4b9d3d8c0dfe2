extension ImageFormat {
    /// Windows bitmaps.
    public static let bmp = ImageFormat(
        rawValue: "bmp",
        displayName: "BMP",
        fileSuffixes: ["bmp", "dib"],
        mediaTypes: ["image/bmp"]
    )
}

/// A decoder for BMP files with 1 to 32 bits per pixel.
///
/// Supports palettes, masks, run-length encoding, and bottom-up and top-down rows.
public struct BMPDecoder: InPlaceDecoder {
    /// The BMP format.
    public var format: ImageFormat { .bmp }

    private static let fileHeaderByteCount = 14

    /// Creates a decoder.
    public init() {}

    /// Returns whether the bytes start with "BM" and are not text.
    public func canDecode(_ prefix: [UInt8]) -> Bool { ContentKind.isBitmap(prefix) }

    /// Reads the image properties from the header without decoding pixels.
    public func probe(
        _ buffer: UnsafeBufferPointer<UInt8>
    ) throws(ImageDecodingError) -> ImageProperties {
        try bitmap(in: buffer).properties(.bmp)
    }

    /// Synchronously decodes the image at the requested size.
    public func decode(
        _ buffer: UnsafeBufferPointer<UInt8>,
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage {
        let bitmap = try bitmap(in: buffer)
        let profile = bitmap.profile.map { buffer[$0] }
        let limit = options.limits.maximumMetadataByteCount
        if let count = profile?.count, count > limit {
            throw .tooMuchMetadata(byteCount: count, limit: limit)
        }
        let plan = try DecodingPlan(
            properties: bitmap.properties(.bmp),
            options: options,
            colors: profile.map { FileColors(Array($0), isGray: false) } ?? .assumed
        )
        return try bitmap.image(from: buffer, plan)
    }

    private func bitmap(
        in buffer: UnsafeBufferPointer<UInt8>
    ) throws(ImageDecodingError) -> Bitmap {
        let file = LittleEndianBytes(bytes: buffer)
        guard let dataOffset = file.uint32(at: 10) else { throw .truncated(.bmp) }
        return try Bitmap(
            file,
            at: Self.fileHeaderByteCount,
            dataOffset: dataOffset,
            isIcon: false,
            format: .bmp
        )
    }
}

extension Bitmap {
    func properties(_ format: ImageFormat) -> ImageProperties {
        ImageProperties(
            format: format,
            size: size,
            orientation: 1,
            hasAlpha: hasAlpha,
            isProgressive: false
        )
    }

    /// Decodes the bitmap in `file`.
    ///
    /// If the file is truncated and the plan accepts truncation, the image is partial.
    fileprivate func image(
        from file: UnsafeBufferPointer<UInt8>,
        _ plan: DecodingPlan
    ) throws(ImageDecodingError) -> DecodedImage {
        try plan.checkMemory(
            BitmapPixels.workByteCount(of: self)
                .saturatingAdd(size.width * 4 * RowCollector.stripRowCount)
                .saturatingAdd(RowCollector.workByteCount(plan: plan))
        )
        let pixels = BitmapPixels(self, in: file)
        try plan.checkRows(pixels.storedRowCount, of: size.height)
        let missing = size.height - pixels.storedRowCount
        // In a truncated bottom-up file, the upper rows of the image are missing.
        let first = isTopDown ? 0 : missing
        var collector = RowCollector(plan: plan, step: 1)
        collector.addMissing(rowCount: first)
        _ = try collector.collectRows(rowCount: pixels.storedRowCount, plan: plan) {
            (row, output) throws(ImageDecodingError) in
            pixels.read(first + row, into: output)
        }
        collector.addMissing(rowCount: missing - first)
        return try plan.image(from: collector.finish(), isFinal: missing == 0)
    }
}
