extension ImageFormat {
    /// JPEG (ITU-T T.81), baseline and progressive.
    public static let jpeg = ImageFormat(
        rawValue: "jpeg",
        displayName: "JPEG",
        fileSuffixes: ["jpg", "jpeg"],
        mediaTypes: ["image/jpeg"]
    )
}

/// Decodes JPEG through libjpeg: baseline, progressive and arithmetic; grey, YCbCr, RGB, CMYK, YCCK.
///
/// Reduced pictures are decoded at the smallest DCT scale that keeps two samples per target pixel,
/// then averaged; of a progressive file only the scans that show at that scale are read. A baseline
/// file costs a few rows of memory; a progressive one its coefficients, which are counted against
/// the limit first. Damage and missing data are errors: no half pictures, unless the options accept
/// truncation.
public struct JPEGDecoder: ImageDecoder, InPlaceDecoder {
    /// JPEG.
    public var format: ImageFormat { .jpeg }

    /// Rows of blocks of a scan between two cancellation checks.
    private static let blockRowCount = 4

    /// Makes a decoder.
    public init() {}

    /// Loads what turns the colours of inks into light.
    public func prepare() { ColorTable.prepare() }

    /// Whether a file starts like a JPEG.
    public func canDecode(_ prefix: [UInt8]) -> Bool { prefix.starts(with: [0xFF, 0xD8, 0xFF]) }

    /// Reads the header only.
    public func probe(_ bytes: [UInt8]) throws(ImageDecodingError) -> ImageProperties {
        try bytes.withUnsafeBufferPointer { (bytes) throws(ImageDecodingError) in
            try probe(bytes)
        }
    }

    package func probe(
        _ buffer: UnsafeBufferPointer<UInt8>
    ) throws(ImageDecodingError) -> ImageProperties {
        let header = try JPEGReader(buffer).readHeader()
        return properties(
            of: header,
            orientation: JPEGHeaderSegments(buffer).metadata.orientation
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
        let reader = try JPEGReader(buffer)
        if options.acceptsDamage { reader.acceptDamage() }
        let header = try reader.readHeader()
        let segments = JPEGHeaderSegments(
            buffer,
            readsTables: options.usesFastPaths
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
            let pixels = try standIn(metadata, plan: plan)
        {
            var image = try plan.image(from: pixels, isFinal: true)
            image.isThumbnail = true
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

    /// Has the scans left out that would not show.
    ///
    /// To be called where they are known to be there, or need not be: nothing reports what is missing
    /// of scans that are not read. Of small pictures, where there is little to gain, all scans are
    /// read.
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

    /// What is held on the way: coefficients, our strip, libjpeg's rows, the resampler's sums.
    ///
    /// libjpeg keeps a handful of block rows a component before and after upsampling: 128 bytes a
    /// column is above the worst case (4 components, 4 times subsampled).
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

    /// Takes in a file of many scans as far as is needed, nothing of other files; false if it ends
    /// before that and the scans that have come have to do.
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
        // Of a file of many scans all rows are there, or none; of others rows may be missing.
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
