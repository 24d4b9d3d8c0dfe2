extension ImageFormat {
    /// PNG (ISO/IEC 15948), with and without interlacing.
    public static let png = ImageFormat(
        rawValue: "png",
        displayName: "PNG",
        fileSuffixes: ["png", "apng"],
        mediaTypes: ["image/png"]
    )
}

/// A decoder for PNG files.
///
/// Supports every color type and bit depth, with and without Adam7 interlacing. If there is a gAMA
/// chunk, samples are converted to sRGB. The orientation in an eXIf chunk is applied. libpng reads
/// the header and, if faster code cannot read them, the pixels.
///
/// The rows of a non-interlaced file are added to the result one after another, so a thumbnail
/// needs memory for only a few rows, regardless of the image size. For moderately large images, all
/// rows are kept in memory if that is faster. The pixels of an interlaced file must be kept in
/// memory, because a row is complete only after the last of seven passes. For a small result, the
/// pixels of the first passes are enough. The required memory is checked against the limit first.
/// Damage and missing data are errors unless the options accept them. In an animated PNG, only the
/// first frame is decoded unless the options request more frames.
public struct PNGDecoder: InPlaceDecoder {
    /// The PNG format.
    public var format: ImageFormat { .png }

    /// The maximum number of bytes that deflate can produce from one byte (RFC 1951: 258 bytes for
    /// 2 bits).
    private static let maximumExpansion = 1032

    /// Creates a decoder.
    public init() {}

    /// Loads littlecms, which reads color profiles with tables, if it is installed.
    public func prepare() { ColorTable.prepare() }

    /// Returns whether the bytes start with the first half of the PNG signature.
    ///
    /// The second half contains line breaks. If a transfer changed them, decoding throws an error
    /// that states this reason.
    public func canDecode(_ prefix: [UInt8]) -> Bool {
        prefix.starts(with: [0x89, 0x50, 0x4E, 0x47])
    }

    /// Reads the image properties from the header without decoding pixels.
    public func probe(
        _ buffer: UnsafeBufferPointer<UInt8>
    ) throws(ImageDecodingError) -> ImageProperties {
        try properties(
            of: PNGReader(buffer).readHeader(),
            in: buffer,
            limits: DecodingLimits()
        )
    }

    /// Synchronously decodes the image at the requested size.
    public func decode(
        _ buffer: UnsafeBufferPointer<UInt8>,
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage {
        if let animation = PNGAnimation(buffer), options.animation != nil || animation.hidesImage {
            return try decode(animation, in: buffer, options: options)
        }
        return try decode(buffer, options: options, passCountsOver: 0)
    }

    /// Decodes the frames of an animation.
    ///
    /// Each frame is decoded as a separate file, so its pixels are already in sRGB.
    private func decode(
        _ animation: PNGAnimation,
        in buffer: UnsafeBufferPointer<UInt8>,
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage {
        let header = try PNGReader(buffer).readHeader()
        let plan = try DecodingPlan(
            properties: properties(of: header, in: buffer, limits: options.limits),
            options: options
        )
        var frameOptions = options
        (frameOptions.targetSize, frameOptions.animation) = (nil, nil)
        frameOptions.acceptsDamage = true
        var animation = animation
        var film = Film(
            plan: plan,
            request: options.animation,
            loopCount: animation.loopCount
        )
        return try film.image { (check) throws(ImageDecodingError) in
            try animation.readNextFrame(frameOptions, check)
        }
    }

    /// Decodes an image.
    ///
    /// In an interlaced file, more than `least` passes are read, because fewer passes were not
    /// enough.
    private func decode(
        _ buffer: UnsafeBufferPointer<UInt8>,
        options: DecodingOptions,
        passCountsOver least: Int
    ) throws(ImageDecodingError) -> DecodedImage {
        let reader = try PNGReader(buffer)
        if options.acceptsTruncation || options.acceptsDamage { reader.expectTruncation() }
        if options.acceptsDamage { reader.acceptDamage() }
        let color = try PNGColor(buffer, limit: options.limits.maximumMetadataByteCount)
        if color.overridesGamma { reader.ignoreGamma() }
        if color.wideProfile != nil { reader.keepWideSamples() }
        let header = try reader.readHeader()
        var plan = try DecodingPlan(
            properties: properties(of: header, in: buffer, limits: options.limits),
            options: options,
            colors: color.colors
        )
        let passes = earlyFinishPasses(of: buffer, reader: reader, plan: plan, moreThan: least)
        let width = plan.storedSize.width
        try plan.checkMemory(
            workByteCount(header, plan: plan, passes: passes)
                .saturatingAdd(color.wideProfile == nil ? 0 : WideRows.byteCount(width: width))
        )
        guard
            plan.acceptsTruncation
                || header.storedByteCount / Self.maximumExpansion <= buffer.count
        else {
            throw .truncated(.png)
        }
        if let profile = color.wideProfile {
            // libpng now returns wide rows, so no other method may read them.
            _ = plan.takeWideProfile()
            return try readRows(from: reader, plan: plan, wide: WideRows(profile, width: width))
        }
        if color.gamma == nil,
            let pixels = try fastPixels(of: buffer, reader: reader, plan: plan)
        {
            return try plan.image(from: pixels, isFinal: true)
        }
        if let passes {
            if let image = try readGrid(of: passes, from: reader, plan: plan, gamma: color.gamma) {
                return image
            }
            // The file is read again with more passes; the first attempt read a sixteenth or a
            // quarter of the pixels.
            return try decode(buffer, options: options, passCountsOver: passes.passCount)
        }
        return header.isInterlaced
            ? try readPasses(from: reader, header: header, plan: plan, gamma: color.gamma)
            : try readRows(from: reader, plan: plan, gamma: color.gamma)
    }

    private func properties(
        of header: PNGReader.Header,
        in bytes: UnsafeBufferPointer<UInt8>,
        limits: DecodingLimits
    ) throws(ImageDecodingError) -> ImageProperties {
        let exif = PNGChunks.range(of: "eXIf", in: bytes) ?? 0..<0
        let limit = limits.maximumMetadataByteCount
        guard exif.count <= limit else {
            throw .tooMuchMetadata(byteCount: exif.count, limit: limit)
        }
        let orientation = EXIFParser.orientation(in: Array(bytes[exif]))
        return ImageProperties(
            format: .png,
            size: orientation.apply(to: header.size),
            orientation: orientation.rawValue,
            hasAlpha: header.hasAlpha,
            isProgressive: header.isInterlaced,
            frameCount: PNGChunks.frameCount(in: bytes)
        )
    }

    /// Returns the working memory in bytes: libpng's rows, the resampler's sums and the strip of
    /// rows.
    ///
    /// In an interlaced file, the pixels of all passes or of the first passes replace the strip.
    private func workByteCount(
        _ header: PNGReader.Header,
        plan: DecodingPlan,
        passes: Adam7?
    ) -> Int {
        let size = plan.storedSize
        let heldRowCount = min(size.height, RowCollector.stripRowCount)
        let strip =
            passes.map { $0.gridSize.byteCount.saturatingAdd(size.width * 4) }
            ?? (header.isInterlaced ? size.byteCount : size.width * 4 * heldRowCount)
        let isStripTheResult = header.isInterlaced && !plan.isReduced
        return (isStripTheResult ? 0 : strip)
            .saturatingAdd(header.workByteCount + RowCollector.workByteCount(plan: plan))
    }

    // MARK: - Plain

    private func readRows(
        from reader: borrowing PNGReader,
        plan: DecodingPlan,
        gamma: PNGGamma? = nil,
        wide: WideRows? = nil
    ) throws(ImageDecodingError) -> DecodedImage {
        var collector = RowCollector(plan: plan, step: 1)
        let height = plan.storedSize.height
        var isCut = false
        let rowCount = try collector.collect(rowCount: height, plan: plan) {
            (strip, _, rowCount) throws(ImageDecodingError) in
            // libpng must not be called again after an error.
            guard !isCut else { return 0 }
            let count: Int
            if let wide {
                count = try wide.fill(strip) { (samples) throws(ImageDecodingError) -> Int in
                    try readRows(
                        from: reader,
                        into: samples,
                        rowCount: rowCount,
                        plan: plan,
                        pixelByteCount: 8
                    )
                }
            } else {
                count = try readRows(from: reader, into: strip, rowCount: rowCount, plan: plan)
            }
            isCut = count < rowCount
            gamma?.convert(strip)
            return count
        }
        guard rowCount > 0 else { throw .truncated(.png) }
        collector.addMissing(rowCount: height - rowCount)
        return try plan.image(from: collector.finish(), isFinal: rowCount == height)
    }

    /// Reads `rowCount` rows, or the received rows in a preview, and returns the number of rows
    /// read.
    private func readRows(
        from reader: borrowing PNGReader,
        into strip: UnsafeMutableBufferPointer<UInt8>,
        rowCount: Int,
        plan: DecodingPlan,
        pixelByteCount: Int = 4
    ) throws(ImageDecodingError) -> Int {
        guard plan.acceptsTruncation else {
            try reader.readRows(into: strip, rowCount: rowCount)
            return rowCount
        }
        let rowByteCount = plan.storedSize.width * pixelByteCount
        for row in 0..<rowCount {
            let rest = UnsafeMutableBufferPointer(rebasing: strip[(row * rowByteCount)...])
            do {
                try reader.readRows(into: rest, rowCount: 1)
            } catch {
                guard plan.passesOver(error) else { throw error }
                return row
            }
        }
        return rowCount
    }
}
