extension ImageFormat {
    /// TGA (Truevision), with and without the footer of version 2.0.
    public static let tga = ImageFormat(
        rawValue: "tga",
        displayName: "TGA",
        fileSuffixes: ["tga", "icb", "vda", "vst"],
        mediaTypes: ["image/x-tga"]
    )
}

/// A decoder that reads TGA files row by row.
///
/// The alpha channel is used if the header declares attribute bits. The footer and the areas that
/// it locates are ignored.
public struct TGADecoder: InPlaceDecoder {
    /// The TGA format.
    public var format: ImageFormat { .tga }

    /// Creates a decoder.
    public init() {}

    /// Returns whether the bytes start with a consistent header.
    ///
    /// TGA files have no signature, so register other decoders after this one.
    public func canDecode(_ prefix: [UInt8]) -> Bool {
        prefix.withUnsafeBufferPointer { TGAHeader($0) != nil }
    }

    /// Reads the image properties from the header without decoding pixels.
    public func probe(
        _ buffer: UnsafeBufferPointer<UInt8>
    ) throws(ImageDecodingError) -> ImageProperties {
        try header(of: buffer).properties
    }

    /// Synchronously decodes the image at the requested size.
    public func decode(
        _ buffer: UnsafeBufferPointer<UInt8>,
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage {
        let header = try header(of: buffer)
        let plan = try DecodingPlan(properties: header.properties, options: options)
        let size = header.size
        try plan.checkMemory(
            TGARows.workByteCount(of: header)
                .saturatingAdd(size.width * 4 * RowCollector.stripRowCount)
                .saturatingAdd(RowCollector.workByteCount(plan: plan))
        )
        let rows = try TGARows(header, in: buffer, plan)
        try plan.checkRows(rows.storedCount, of: size.height)
        let missing = size.height - rows.storedCount
        // In a truncated bottom-up file, the upper rows of the image are missing.
        let first = header.isTopDown ? 0 : missing
        var collector = RowCollector(plan: plan, step: 1)
        collector.addMissing(rowCount: first)
        _ = try collector.collectRows(rowCount: rows.storedCount, plan: plan) {
            (row, output) throws(ImageDecodingError) in
            rows.read(first + row, into: output)
        }
        collector.addMissing(rowCount: missing - first)
        return try plan.image(from: collector.finish(), isFinal: missing == 0)
    }

    private func header(
        of buffer: UnsafeBufferPointer<UInt8>
    ) throws(ImageDecodingError) -> TGAHeader {
        guard buffer.count >= TGAHeader.byteCount else { throw .truncated(format) }
        guard let header = TGAHeader(buffer) else { throw .corrupt(format, "invalid header") }
        return header
    }
}

extension TGAHeader {
    fileprivate var properties: ImageProperties {
        ImageProperties(
            format: .tga,
            size: size,
            orientation: 1,
            hasAlpha: hasAlpha,
            isProgressive: false
        )
    }
}
