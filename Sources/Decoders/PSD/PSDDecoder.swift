extension ImageFormat {
    /// Photoshop documents (PSD) and large documents (PSB).
    ///
    /// The merged image is decoded; layers are ignored.
    public static let psd = ImageFormat(
        rawValue: "psd",
        displayName: "PSD",
        fileSuffixes: ["psd", "psb"],
        mediaTypes: ["image/vnd.adobe.photoshop"]
    )
}

/// A decoder that reads the merged image of a Photoshop document row by row.
public struct PSDDecoder: InPlaceDecoder {
    /// The PSD format.
    public var format: ImageFormat { .psd }

    /// Creates a decoder.
    public init() {}

    /// Loads littlecms if it is installed.
    public func prepare() { ColorTable.prepare() }

    /// Returns whether the bytes start with the signature and a supported version.
    public func canDecode(_ prefix: [UInt8]) -> Bool {
        prefix.starts(with: "8BPS\0".utf8) && (prefix.count < 6 || (1...2).contains(prefix[5]))
    }

    /// Reads the image properties from the header without decoding pixels.
    public func probe(
        _ buffer: UnsafeBufferPointer<UInt8>
    ) throws(ImageDecodingError) -> ImageProperties {
        try PSDHeader(buffer).properties
    }

    /// Synchronously decodes the image at the requested size.
    public func decode(
        _ buffer: UnsafeBufferPointer<UInt8>,
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage {
        let header = try PSDHeader(buffer)
        let plan = try DecodingPlan(
            properties: header.properties,
            options: options,
            colors: header.colors(of: buffer, options.limits)
        )
        let size = header.size
        try plan.checkMemory(
            PSDRows.workByteCount(of: header)
                .saturatingAdd(size.width * 4 * RowCollector.stripRowCount)
                .saturatingAdd(RowCollector.workByteCount(plan: plan))
        )
        var rows = try PSDRows(header, in: buffer, inks: plan.inks)
        var collector = RowCollector(plan: plan, step: 1)
        let (rowCount, damage) = try collector.collectRows(rowCount: size.height, plan: plan) {
            (row, output) throws(ImageDecodingError) in
            try rows.read(row, into: output)
        }
        if let damage, rowCount == 0 { throw damage }
        collector.addMissing(rowCount: size.height - rowCount)
        return try plan.image(from: collector.finish(), isFinal: damage == nil)
    }
}

extension PSDHeader {
    fileprivate var properties: ImageProperties {
        ImageProperties(
            format: .psd,
            size: size,
            orientation: 1,
            hasAlpha: hasAlpha,
            isProgressive: false
        )
    }

    /// Returns the color space of the merged image in `file`.
    fileprivate func colors(
        of file: UnsafeBufferPointer<UInt8>,
        _ limits: DecodingLimits
    ) throws(ImageDecodingError) -> FileColors {
        guard let profile else { return .assumed }
        let limit = limits.maximumMetadataByteCount
        guard profile.count <= limit else {
            throw .tooMuchMetadata(byteCount: profile.count, limit: limit)
        }
        let bytes = Array(file[profile])
        switch mode {
        case .cmyk: return .inks(bytes, areLight: true)
        case .gray, .duotone: return FileColors(bytes, isGray: true)
        case .rgb, .indexed: return FileColors(bytes, isGray: false)
        case .bitmap, .lab, .multichannel: return .assumed
        }
    }
}
