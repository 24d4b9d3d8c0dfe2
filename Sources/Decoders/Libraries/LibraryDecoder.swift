internal import CImageCodecs

/// A decoder that uses a library to decode one format.
///
/// The library is loaded when the first file of that format is decoded. If the library is not
/// installed, decoding throws `ImageDecodingError.libraryMissing`. Still images are read and
/// reduced row by row. The frames of an animation are drawn in order. Only the first frame is
/// decoded unless `DecodingOptions.animation` requests more frames.
public struct LibraryDecoder: InPlaceDecoder {
    /// The format that the decoder supports.
    public let format: ImageFormat

    private let library: cic_format
    private let signature: @Sendable ([UInt8]) -> Bool
    /// The name of the group of decoders that share a helper process, or nil if the library is
    /// small and starts no threads.
    public let helperGroup: String?
    /// The directories with fonts that the library needs.
    public let readableFolders: [String]

    init(
        _ format: ImageFormat,
        _ library: cic_format,
        helperGroup: String?,
        readableFolders: [String] = [],
        signature: @escaping @Sendable ([UInt8]) -> Bool
    ) {
        self.format = format
        self.library = library
        self.helperGroup = helperGroup
        self.readableFolders = readableFolders
        self.signature = signature
    }

    /// The maximum size of an inflated document, in bytes.
    private static let maximumTextByteCount = 32 << 20

    /// Returns whether the bytes start with the signature of the format.
    public func canDecode(_ prefix: [UInt8]) -> Bool { signature(prefix) }

    /// Loads the library if it is installed, and for SVG also the library for embedded AVIF images.
    public func prepare() {
        ColorTable.prepare()
        _ = cic_format_load(library)
        if format == .svg { _ = cic_format_load(.heif) }
    }

    /// Reads the image properties from the header without decoding pixels.
    public func probe(
        _ buffer: UnsafeBufferPointer<UInt8>
    ) throws(ImageDecodingError) -> ImageProperties {
        guard let text = try text(in: buffer, limit: Self.maximumTextByteCount) else {
            return try properties(of: buffer)
        }
        return try text.withUnsafeBufferPointer { (text) throws(ImageDecodingError) in
            try properties(of: text)
        }
    }

    private func properties(
        of buffer: UnsafeBufferPointer<UInt8>
    ) throws(ImageDecodingError) -> ImageProperties {
        let page = page(of: buffer)
        if let jpeg = page.flatMap({ EmbeddedJPEG($0, of: buffer) }) {
            return try jpeg.probe(as: format)
        }
        return try reader(of: buffer, page).readHeader(DecodingLimits()).properties
    }

    /// Synchronously decodes the image at the requested size.
    public func decode(
        _ buffer: UnsafeBufferPointer<UInt8>,
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage {
        let limit = min(Self.maximumTextByteCount, options.limits.maximumByteCount / 4)
        let text = try text(
            in: buffer,
            limit: limit,
            showsImages: true,
            isCancelled: options.isCancelled
        )
        guard let text else {
            return try image(of: buffer, options: options)
        }
        return try text.withUnsafeBufferPointer { (text) throws(ImageDecodingError) in
            try image(of: text, options: options)
        }
    }

    private func image(
        of buffer: UnsafeBufferPointer<UInt8>,
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage {
        let page = page(of: buffer)
        if let jpeg = page.flatMap({ EmbeddedJPEG($0, of: buffer) }) {
            return try jpeg.decode(as: format, options: options)
        }
        let reader = try reader(of: buffer, page)
        let header = try reader.readHeader(options.limits)
        let plan = try DecodingPlan(
            properties: header.properties,
            options: options,
            colors: header.colors
        )
        guard header.hasFrames else {
            var image = try readRows(
                from: reader,
                plan,
                acceptsThumbnail: options.acceptsThumbnail
            )
            if page?.isStamp == true { image.isThumbnail = true }
            return image
        }
        var film = Film(plan: plan, request: options.animation, loopCount: header.loopCount)
        return try film.image { (check) throws(ImageDecodingError) in
            try reader.readNextFrame(check)
        }
    }

    /// The name of the package that contains the library, or nil if the library can be loaded.
    ///
    /// The name of the missing file follows in parentheses: "libheif1 (libheif.so.1)". Reading this
    /// property loads the library.
    var missingPackage: String? {
        guard !cic_format_load(library) else { return nil }
        let package = String(cString: cic_format_package(library))
        let file = String(cString: cic_format_missing_file(library))
        return file.isEmpty ? package : "\(package) (\(file))"
    }

    /// Returns the document to decode instead of `file`, or nil to decode `file` itself.
    ///
    /// The document is an inflated drawing, or a drawing with replaced drop shadows and embedded
    /// images. The result must not be passed to this method again: in a hostile document, each
    /// replacement can create new drop shadows from the attributes that it copies.
    ///
    /// If `showsImages` is false, embedded images are not replaced.
    private func text(
        in file: UnsafeBufferPointer<UInt8>,
        limit: Int,
        showsImages: Bool = false,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(ImageDecodingError) -> [UInt8]? {
        guard format == .svg else { return nil }
        var text = try Gunzip.text(in: file, of: format, limit: limit)
        func replace(_ replaced: (UnsafeBufferPointer<UInt8>) -> [UInt8]?) {
            text =
                text.map { text in text.withUnsafeBufferPointer(replaced) ?? text }
                ?? replaced(file)
        }
        replace { SVGDropShadows.replaced(in: $0, limit: limit) }
        if showsImages {
            replace { SVGEmbeddedImages.replaced(in: $0, limit: limit, isCancelled: isCancelled) }
        }
        return text
    }

    private func reader(
        of buffer: UnsafeBufferPointer<UInt8>,
        _ page: TIFFPages.Page?
    ) throws(ImageDecodingError) -> PictureReader {
        if let missingPackage { throw .libraryMissing(format, package: missingPackage) }
        let reader = try PictureReader(buffer, format: format, library: library)
        if let page { reader.select(page) }
        return reader
    }

    /// Returns the page to decode in a TIFF-based file, or nil for the first page.
    private func page(of buffer: UnsafeBufferPointer<UInt8>) -> TIFFPages.Page? {
        format == .tiff ? TIFFPages.image(of: buffer) : nil
    }

    private func readRows(
        from reader: borrowing PictureReader,
        _ imagePlan: DecodingPlan,
        acceptsThumbnail: Bool
    ) throws(ImageDecodingError) -> DecodedImage {
        var plan = imagePlan
        let target = cic_picture_target(
            size: cic_size(plan.storedTarget),
            accepts_thumbnail: acceptsThumbnail && plan.isReduced,
            accepts_wide_samples: plan.prefersWideSamples
        )
        let rows = try reader.start(target)
        let size = PixelSize(rows.size)
        try plan.checkMemory(
            Int(clamping: rows.byte_count)
                .saturatingAdd(size.width * 4 * RowCollector.stripRowCount)
                .saturatingAdd(rows.has_wide_samples ? WideRows.byteCount(width: size.width) : 0)
                .saturatingAdd(RowCollector.workByteCount(plan: plan))
        )
        let wide =
            rows.has_wide_samples
            ? plan.takeWideProfile().map { WideRows($0, width: size.width) } : nil
        var collector = RowCollector(plan: plan, source: size)
        var damage: ImageDecodingError?
        let rowCount = try collector.collect(rowCount: size.height, plan: plan) {
            (strip, _, rowCount) throws(ImageDecodingError) in
            guard damage == nil else { return 0 }
            do throws(ImageDecodingError) {
                guard let wide else {
                    return try reader.readRows(into: strip, rowCount: rowCount)
                }
                return try wide.fill(strip) { (samples) throws(ImageDecodingError) -> Int in
                    try reader.readRows(into: samples, rowCount: rowCount)
                }
            } catch {
                guard plan.passesOver(error) else { throw error }
                damage = error
                return 0
            }
        }
        if let damage, rowCount == 0 { throw damage }
        try plan.checkRows(rowCount, of: size.height)
        do throws(ImageDecodingError) {
            try reader.finish()
        } catch {
            guard plan.passesOver(error) else { throw error }
            damage = damage ?? error
        }
        collector.addMissing(rowCount: size.height - rowCount)
        var image = try plan.image(
            from: collector.finish(),
            isFinal: rowCount == size.height && damage == nil
        )
        image.isThumbnail = rows.is_thumbnail
        return image
    }
}
