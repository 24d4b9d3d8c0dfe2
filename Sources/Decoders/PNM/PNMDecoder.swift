extension ImageFormat {
    /// Netpbm images: PBM, PGM, PPM, PAM and PFM.
    public static let pnm = ImageFormat(
        rawValue: "pnm",
        displayName: "PNM",
        fileSuffixes: ["pnm", "ppm", "pgm", "pbm", "pam", "pfm"],
        mediaTypes: [
            "image/x-portable-anymap", "image/x-portable-pixmap", "image/x-portable-graymap",
            "image/x-portable-bitmap", "image/x-portable-arbitrarymap",
        ]
    )
}

/// A decoder that reads Netpbm images row by row.
///
/// If a file contains several images, the first image is decoded. Floating-point samples are
/// clipped to 0 through 1.
public struct PNMDecoder: InPlaceDecoder {
    /// The PNM format.
    public var format: ImageFormat { .pnm }

    /// Creates a decoder.
    public init() {}

    /// Returns whether the bytes start with the signature and a field of the header.
    public func canDecode(_ prefix: [UInt8]) -> Bool { PNMHeader.isPresent(in: prefix) }

    /// Reads the image properties from the header without decoding pixels.
    public func probe(
        _ buffer: UnsafeBufferPointer<UInt8>
    ) throws(ImageDecodingError) -> ImageProperties {
        try PNMHeader(buffer).properties
    }

    /// Synchronously decodes the image at the requested size.
    public func decode(
        _ buffer: UnsafeBufferPointer<UInt8>,
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage {
        let header = try PNMHeader(buffer)
        let plan = try DecodingPlan(properties: header.properties, options: options)
        let size = plan.storedSize
        try plan.checkMemory(
            (size.width * 4 * RowCollector.stripRowCount)
                .saturatingAdd(RowCollector.workByteCount(plan: plan))
        )
        var samples = PNMSamples(header, in: buffer)
        // Missing rows stay transparent.
        let missingCount = samples.missingTopRowCount
        let lack: ImageDecodingError? = missingCount > 0 ? .truncated(.pnm) : nil
        if let lack, missingCount == size.height || !plan.passesOver(lack) { throw lack }
        var collector = RowCollector(plan: plan, step: 1)
        let (rowCount, damage) = try collector.collectRows(rowCount: size.height, plan: plan) {
            (row, output) throws(ImageDecodingError) in
            guard row >= missingCount else { return output.update(repeating: 0) }
            try samples.read(row, into: output)
        }
        if let damage, rowCount == 0 { throw damage }
        collector.addMissing(rowCount: size.height - rowCount)
        return try plan.image(from: collector.finish(), isFinal: damage == nil && lack == nil)
    }
}

extension PNMHeader {
    fileprivate var properties: ImageProperties {
        ImageProperties(
            format: .pnm,
            size: PixelSize(width: width, height: height),
            orientation: 1,
            hasAlpha: hasAlpha,
            isProgressive: false
        )
    }
}
