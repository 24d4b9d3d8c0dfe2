internal import CImageCodecs

/// A library's reader for one file; the reader is destroyed with this value.
///
/// Library errors are converted to Swift errors.
struct PictureReader: ~Copyable {
    struct Header {
        let properties: ImageProperties
        let colors: FileColors
        /// Whether the library returns frames instead of rows.
        let hasFrames: Bool
        /// The number of loops, or nil to loop forever.
        let loopCount: Int?
    }

    private let handle: OpaquePointer
    private let format: ImageFormat

    /// Creates a reader for `bytes`, which must outlive the reader.
    ///
    /// The library must already be loaded.
    init(
        _ bytes: UnsafeBufferPointer<UInt8>,
        format: ImageFormat,
        library: cic_format
    ) throws(ImageDecodingError) {
        guard let start = bytes.baseAddress else { throw .truncated(format) }
        guard let handle = cic_picture_create(library, start, bytes.count) else {
            throw .tooMuchMemory(byteCount: 0, limit: 0)
        }
        self.handle = handle
        self.format = format
    }

    deinit { cic_picture_destroy(handle) }

    /// Selects a page of a TIFF file instead of the first page; call this method before
    /// `readHeader`.
    func select(_ page: TIFFPages.Page) {
        cic_picture_select_page(
            handle,
            cic_page(offset: UInt64(page.offset), orientation: Int32(page.orientation.rawValue))
        )
    }

    /// Reads the header; call this method before reading rows or frames.
    func readHeader(_ limits: DecodingLimits) throws(ImageDecodingError) -> Header {
        var header = cic_picture_header()
        try check(cic_picture_read_header(handle, &header))
        let limit = limits.maximumMetadataByteCount
        for count in [header.profile_count, header.exif_count] where count > limit {
            throw .tooMuchMetadata(byteCount: count, limit: limit)
        }
        let orientation = Self.orientation(of: header)
        return Header(
            properties: ImageProperties(
                format: format,
                size: orientation.apply(to: PixelSize(header.size)),
                orientation: orientation.rawValue,
                hasAlpha: header.has_alpha,
                isProgressive: false,
                frameCount: max(1, Int(Int32(clamping: header.frame_count)))
            ),
            colors: Self.colors(of: header),
            hasFrames: header.has_frames,
            loopCount: header.loop_count == 0 ? nil : Int(header.loop_count)
        )
    }

    private static func orientation(of header: cic_picture_header) -> Orientation {
        let bytes = UnsafeBufferPointer(start: header.exif, count: header.exif_count)
        let signature = Array("Exif\0\0".utf8)
        // Some programs also write the EXIF signature of JPEG files to other formats.
        let exif = bytes.starts(with: signature) ? bytes.dropFirst(signature.count) : bytes[...]
        let found = EXIFParser.orientation(in: Array(exif))
        return found == .upright
            ? Orientation(rawValue: Int(header.orientation)) ?? .upright : found
    }

    private static func colors(of header: cic_picture_header) -> FileColors {
        if header.profile_count > 0 {
            let profile = UnsafeBufferPointer(start: header.profile, count: header.profile_count)
            // The name of the profile's color space starts at byte 16 (ICC.1:2022, section 7.2).
            let isGray = profile.count > 20 && profile[16..<20].elementsEqual("GRAY".utf8)
            return FileColors(Array(profile), isGray: isGray)
        }
        guard header.primaries != 0 || header.transfer != 0 else { return .assumed }
        return ColorCodes.profile(
            primaries: ColorCodes.primaries(ofPhoto: header.primaries),
            transfer: ColorCodes.transfer(ofPhoto: header.transfer),
            peak: header.peak > 0 ? Double(header.peak) : HighDynamicRange.usualPeak
        ).map(FileColors.lights) ?? .assumed
    }

    /// Prepares the reader to return rows and returns their size and the memory that the library
    /// needs.
    func start(_ target: cic_picture_target) throws(ImageDecodingError) -> cic_picture_rows {
        var rows = cic_picture_rows()
        try check(cic_picture_start(handle, target, &rows))
        return rows
    }

    /// Reads up to `rowCount` rows of R, G, B, A into `rows` and returns the number of rows read,
    /// or 0 at the end.
    func readRows(
        into rows: UnsafeMutableBufferPointer<UInt8>,
        rowCount: Int
    ) throws(ImageDecodingError) -> Int {
        guard let start = rows.baseAddress else { return 0 }
        var count: Int32 = 0
        let status = cic_picture_read_rows(handle, start, Int32(rowCount), &count)
        if count == 0 { try check(status) }
        return Int(count)
    }

    /// Throws an error if the file is damaged even though the library returned rows.
    func finish() throws(ImageDecodingError) { try check(cic_picture_finish(handle)) }

    /// Reads the next frame, or returns nil at the end.
    ///
    /// Calls `check` with the size of the frame before reading the pixels.
    func readNextFrame(
        _ check: (PixelSize) throws(ImageDecodingError) -> Void
    ) throws(ImageDecodingError) -> Film.Frame? {
        var header = cic_frame()
        let status = cic_picture_next_frame(handle, &header)
        guard status != .end else { return nil }
        try self.check(status)
        let size = PixelSize(header.size)
        var frame = Film.Frame(
            area: PixelRect(
                x: Int(header.x),
                y: Int(header.y),
                width: size.width,
                height: size.height
            ),
            duration: .milliseconds(header.milliseconds),
            disposal: FrameDisposal(header.disposal),
            isBlended: header.is_blended
        )
        try check(size)
        guard !size.isEmpty else { return frame }
        frame.pixels = [UInt8](repeating: 0, count: size.byteCount)
        let result = frame.pixels.withUnsafeMutableBufferPointer { pixels in
            pixels.baseAddress.map { cic_picture_read_frame(handle, $0) } ?? .end
        }
        frame.damage = error(of: result)
        return frame
    }

    private func check(_ status: cic_status) throws(ImageDecodingError) {
        if let error = error(of: status) { throw error }
    }

    private func error(of status: cic_status) -> ImageDecodingError? {
        ImageDecodingError(
            status,
            of: format,
            message: cic_picture_message(handle),
            memoryLimit: 0
        )
    }
}

extension FrameDisposal {
    fileprivate init(_ disposal: cic_disposal) {
        self =
            switch disposal {
            case .keep: .keep
            case .clear: .clear
            case .restore: .restore
            }
    }
}

extension cic_size {
    init(_ size: PixelSize) {
        self.init(width: UInt32(clamping: size.width), height: UInt32(clamping: size.height))
    }
}

extension PixelSize {
    init(_ size: cic_size) {
        self.init(width: Int(size.width), height: Int(size.height))
    }
}
