extension ImageFormat {
    /// JPEG (ITU-T T.81), baseline and progressive.
    public static let jpeg = ImageFormat(
        rawValue: "jpeg",
        displayName: "JPEG",
        fileSuffixes: ["jpg", "jpeg"],
        mediaTypes: ["image/jpeg"]
    )
}

/// A decoder that uses libjpeg to decode JPEG files.
///
/// Supports baseline, progressive and arithmetic coding, and gray, YCbCr, RGB, CMYK and YCCK
/// images.
///
/// A reduced image is decoded at the smallest DCT scale that keeps enough samples per target pixel
/// (`JPEGScale`); the samples are then averaged. For a progressive file, only the scans that are
/// visible at that scale are read. A baseline file needs memory for a few rows. A progressive file
/// needs memory for its coefficients, which is checked against the limit first. Damage and missing
/// data are errors unless the options accept them.
public struct JPEGDecoder: InPlaceDecoder {
    /// The JPEG format.
    public var format: ImageFormat { .jpeg }

    /// The number of rows of blocks that are read between two cancellation checks.
    private static let blockRowCount = 4

    /// Creates a decoder.
    public init() {}

    /// Loads littlecms, which converts ink colors (CMYK) to sRGB, if it is installed.
    public func prepare() { ColorTable.prepare() }

    /// Returns whether the bytes start with the JPEG signature.
    ///
    /// Line breaks and zeros may precede the signature or its third byte. Some servers and cameras
    /// write such files.
    public func canDecode(_ prefix: [UInt8]) -> Bool {
        if prefix.starts(with: [0xFF, 0xD8, 0xFF]) {
            // 0xF7 starts the frame of a JPEG-LS file, which is a different format.
            return prefix.count < 4 || prefix[3] != 0xF7
        }
        return prefix.withUnsafeBufferPointer { Self.isPadded($0) }
    }

    /// Reads the image properties from the header without decoding pixels.
    public func probe(
        _ file: UnsafeBufferPointer<UInt8>
    ) throws(ImageDecodingError) -> ImageProperties {
        let buffer = Self.withoutPadding(file)
        let header = try JPEGReader(buffer).readHeader()
        return properties(
            of: header,
            orientation: JPEGHeaderSegments(buffer).metadata.orientation
        )
    }

    /// Synchronously decodes the image at the requested size.
    public func decode(
        _ file: UnsafeBufferPointer<UInt8>,
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage {
        let buffer = Self.withoutPadding(file)
        let reader = try JPEGReader(buffer)
        if options.acceptsDamage { reader.acceptDamage() }
        let header = try reader.readHeader()
        let segments = JPEGHeaderSegments(
            buffer,
            readsTables: (options.usesFastPaths || options.acceptsThumbnail)
                && header.size.pixelCount >= DCDecoder.minimumPixelCount
        )
        let metadata = segments.metadata
        let profile = try metadata.profile(limit: options.limits.maximumMetadataByteCount)
        var plan = try DecodingPlan(
            properties: properties(of: header, orientation: metadata.orientation),
            options: options,
            colors: profile.map { header.colors(of: $0, metadata.componentCount) } ?? .assumed
        )
        let isCoarse = options.acceptsLarger && plan.isReduced
        let scale = JPEGScale(
            from: plan.storedSize,
            to: plan.storedTarget,
            coarsestSampling: header.coarsestSampling,
            isCoarse: isCoarse
        )
        if isCoarse { plan = plan.taking(scale.applied(to: plan.storedSize)) }
        try plan.checkMemory(0)
        if options.acceptsThumbnail, options.targetSize != nil,
            let image = try standIn(buffer, header: segments, plan: plan)
        {
            return image
        }
        if !isCoarse,
            let (pixels, isFinal) = try pixelsOfDC(
                buffer,
                header: segments,
                plan: plan,
                scale: scale
            )
        {
            return try plan.image(from: pixels, isFinal: isFinal)
        }
        try plan.checkMemory(workByteCount(header, plan: plan, scale: scale))
        if header.coefficientByteCount > 0 {
            let scans = try plan.checkScans(of: buffer, after: segments)
            if !isCoarse, plan.acceptsTruncation || scans.isWhole {
                finishEarly(reader, tables: segments.tables, plan: plan, scale: scale)
            }
        }
        var stored: (pixels: PixelBuffer, isFinal: Bool)?
        do throws(ImageDecodingError) {
            stored = try pixels(from: reader, header: header, plan: plan, scale: scale)
        } catch {
            guard plan.passesOver(error) else { throw error }
        }
        return try plan.image(
            from: preview(stored?.pixels, metadata: metadata, plan: plan),
            isFinal: stored?.isFinal ?? false
        )
    }

    /// Makes the reader skip scans that are not visible at the requested size.
    ///
    /// Missing data in skipped scans is not reported, so call this method only if these scans are
    /// complete or may be missing. In small images, all scans are read, because skipping scans
    /// would save little time.
    private func finishEarly(
        _ reader: borrowing JPEGReader,
        tables: JPEGTables?,
        plan: DecodingPlan,
        scale: JPEGScale
    ) {
        guard plan.usesFastPaths, plan.storedSize.pixelCount >= DCDecoder.minimumPixelCount,
            let detail = JPEGDetail(
                at: scale,
                target: plan.storedTarget,
                quantizers: tables?.componentQuantizers
            )
        else { return }
        reader.finishEarly(at: detail)
    }

    func properties(
        of header: JPEGReader.Header,
        orientation: Orientation
    ) -> ImageProperties {
        ImageProperties(
            format: .jpeg,
            size: orientation.apply(to: header.size),
            orientation: orientation.rawValue,
            hasAlpha: false,
            isProgressive: header.isProgressive
        )
    }

    /// Returns the working memory in bytes: coefficients, a strip of rows, libjpeg's rows and the
    /// resampler's sums.
    ///
    /// libjpeg keeps a few rows of blocks per component before and after upsampling. The worst case
    /// (4 components, subsampled 4 times) needs less than 128 bytes per column.
    func workByteCount(
        _ header: JPEGReader.Header,
        plan: DecodingPlan,
        scale: JPEGScale
    ) -> Int {
        let width = plan.storedSize.width / scale.rawValue + 1
        let rows = width * 4 * RowCollector.stripRowCount + plan.storedSize.width * 128
        return header.coefficientByteCount
            .saturatingAdd(rows + RowCollector.workByteCount(plan: plan))
    }

    /// Reads the required scans of a multi-scan file; does nothing for other files.
    ///
    /// Returns false if the file ends too early. In that case, only the complete scans can be used.
    private func readScans(
        of reader: borrowing JPEGReader,
        plan: DecodingPlan
    ) throws(ImageDecodingError) -> Bool {
        do {
            repeat {
                try plan.checkCancellation()
            } while try reader.consumeScans(
                blockRowCount: Self.blockRowCount,
                maximumScanCount: plan.maximumScanCount
            )
            return true
        } catch {
            guard plan.passesOver(error) else { throw error }
            try reader.useCompleteScans()
            return false
        }
    }

    func pixels(
        from reader: borrowing JPEGReader,
        header: JPEGReader.Header,
        plan: DecodingPlan,
        scale: JPEGScale
    ) throws(ImageDecodingError) -> (pixels: PixelBuffer, isFinal: Bool) {
        let size = try reader.start(scale: scale, memoryLimit: plan.maximumByteCount)
        // In a multi-scan file, either all rows or no rows are available; in other files, rows may
        // be missing.
        let isFinal =
            try readScans(of: reader, plan: plan) && header.coefficientByteCount > 0
        var collector =
            plan.isAsDecoded
            ? RowCollector(plan: plan, source: size)
            : RowCollector(plan: plan, step: scale.rawValue, isWhole: isFinal)
        let rowCount = try collector.collect(rowCount: size.height, plan: plan) {
            (strip, _, rowCount) throws(ImageDecodingError) in
            let count = try reader.readRows(
                into: strip,
                rowCount: rowCount,
                passesOver: plan.passesOver
            )
            CMYKConversion.convert(
                UnsafeMutableBufferPointer(rebasing: strip[..<(count * size.width * 4)]),
                color: header.color,
                table: plan.inks
            )
            return count
        }
        guard rowCount > 0 else { throw .truncated(.jpeg) }
        collector.addMissing(rowCount: size.height - rowCount)
        return (collector.finish(), isFinal: isFinal)
    }
}
