extension ImageFormat {
    /// PNG (ISO/IEC 15948), plain and interlaced.
    public static let png = ImageFormat(
        rawValue: "png",
        displayName: "PNG",
        fileSuffixes: ["png", "apng"],
        mediaTypes: ["image/png"]
    )
}

/// Decodes PNG through libpng: every colour type and bit depth, plain and Adam7, gAMA brought to
/// sRGB, orientation from eXIf.
///
/// Rows of a plain file stream into the result, so that a thumbnail holds a few rows whatever the
/// size of the picture; those of a moderate size are held where that is faster. An interlaced file
/// needs its pixels in memory, for a small result those of its first passes, else all of them: a row
/// is complete only with the last of seven passes. That is counted against the limit first. Damage
/// and missing data are errors: no half pictures, unless the options accept truncation. Of an animated
/// PNG the picture itself is decoded, or the frames that the options ask for.
public struct PNGDecoder: ImageDecoder, InPlaceDecoder {
    /// PNG.
    public var format: ImageFormat { .png }

    /// Deflate can't expand a byte to more than this many (RFC 1951: 258 bytes for 2 bits).
    private static let maximumExpansion = 1032

    /// Makes a decoder.
    public init() {}

    /// Loads what reads profiles of tables.
    public func prepare() { ColorTable.prepare() }

    /// Whether a file starts like a PNG.
    public func canDecode(_ prefix: [UInt8]) -> Bool {
        prefix.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    }

    /// Reads the header only.
    public func probe(_ bytes: [UInt8]) throws(ImageDecodingError) -> ImageProperties {
        try bytes.withUnsafeBufferPointer { (bytes) throws(ImageDecodingError) in
            try probe(bytes)
        }
    }

    package func probe(
        _ buffer: UnsafeBufferPointer<UInt8>
    ) throws(ImageDecodingError) -> ImageProperties {
        try properties(
            of: PNGReader(buffer).readHeader(),
            in: buffer,
            limits: DecodingLimits()
        )
    }

    /// Decodes at the size asked for; blocks for as long as that takes.
    public func decode(
        _ bytes: [UInt8],
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage {
        try bytes.withUnsafeBufferPointer { (bytes) throws(ImageDecodingError) in
            try decode(bytes, options: options)
        }
    }

    package func decode(
        _ buffer: UnsafeBufferPointer<UInt8>,
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage {
        if let request = options.animation, let animation = PNGAnimation(buffer) {
            return try decode(animation, request, in: buffer, options: options)
        }
        return try decode(buffer, options: options, passCountsOver: 0)
    }

    /// Frames come in the colours of sRGB, since each is a file of its own.
    private func decode(
        _ animation: PNGAnimation,
        _ request: AnimationRequest,
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
        var film = Film(plan: plan, request: request, loopCount: animation.loopCount)
        return try film.image { (check) throws(ImageDecodingError) in
            try animation.readNextFrame(frameOptions, check)
        }
    }

    /// Of an interlaced file no passes are enough by themselves that are `least` or fewer.
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
        let header = try reader.readHeader()
        let plan = try DecodingPlan(
            properties: properties(of: header, in: buffer, limits: options.limits),
            options: options,
            colors: color.colors
        )
        let passes = earlyFinishPasses(of: buffer, reader: reader, plan: plan, moreThan: least)
        try plan.checkMemory(workByteCount(header, plan: plan, passes: passes))
        guard
            plan.acceptsTruncation
                || header.storedByteCount / Self.maximumExpansion <= buffer.count
        else {
            throw .truncated(.png)
        }
        if let pixels = try fastPixels(of: buffer, reader: reader, plan: plan) {
            return try plan.image(from: pixels, isFinal: true)
        }
        if let passes {
            if let image = try readGrid(of: passes, from: reader, plan: plan) { return image }
            // Read again, with more passes: these were a sixteenth of the pixels, or a quarter.
            return try decode(buffer, options: options, passCountsOver: passes.passCount)
        }
        return header.isInterlaced
            ? try readPasses(from: reader, header: header, plan: plan)
            : try readRows(from: reader, plan: plan)
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

    /// What is held on the way: libpng's rows, our strip, all pixels or those of the first passes,
    /// the resampler's sums.
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
        plan: DecodingPlan
    ) throws(ImageDecodingError) -> DecodedImage {
        var collector = RowCollector(plan: plan, step: 1)
        let height = plan.storedSize.height
        var isCut = false
        let rowCount = try collector.collect(rowCount: height, plan: plan) {
            (strip, _, rowCount) throws(ImageDecodingError) in
            // After an error libpng is not to be asked again.
            guard !isCut else { return 0 }
            let count = try readRows(from: reader, into: strip, rowCount: rowCount, plan: plan)
            isCut = count < rowCount
            return count
        }
        guard rowCount > 0 else { throw .truncated(.png) }
        collector.addMissing(rowCount: height - rowCount)
        return try plan.image(from: collector.finish(), isFinal: rowCount == height)
    }

    /// Reads rows and returns how many: all of them, or in a preview those that have come.
    private func readRows(
        from reader: borrowing PNGReader,
        into strip: UnsafeMutableBufferPointer<UInt8>,
        rowCount: Int,
        plan: DecodingPlan
    ) throws(ImageDecodingError) -> Int {
        guard plan.acceptsTruncation else {
            try reader.readRows(into: strip, rowCount: rowCount)
            return rowCount
        }
        let rowByteCount = plan.storedSize.width * 4
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
