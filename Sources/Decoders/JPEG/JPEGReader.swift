internal import CImageCodecs

/// A libjpeg decompressor for one file; the decompressor is destroyed with this value.
///
/// libjpeg errors are converted to Swift errors.
struct JPEGReader: ~Copyable {
    struct Header {
        let size: PixelSize
        let isProgressive: Bool
        let color: cic_jpeg_color
        /// The number of pixels per sample, in each direction, of the component with the fewest
        /// samples.
        let coarsestSampling: PixelSize
        /// The number of bytes that libjpeg needs for the coefficients of a file with several
        /// scans; 0 for other files.
        let coefficientByteCount: Int

        /// Returns the color space that `profile` defines for samples with this number of
        /// components.
        func colors(of profile: [UInt8], _ componentCount: Int) -> FileColors {
            switch color {
            case .rgbx: FileColors(profile, isGray: componentCount == 1)
            case .cmyk: .inks(profile, areLight: false)
            case .adobe: .inks(profile, areLight: true)
            }
        }
    }

    private let handle: OpaquePointer

    /// Creates a reader for `bytes`, which must outlive the reader.
    init(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImageDecodingError) {
        guard let start = bytes.baseAddress else { throw .truncated(.jpeg) }
        guard let handle = cic_jpeg_reader_create(start, bytes.count) else {
            throw .tooMuchMemory(byteCount: 0, limit: 0)
        }
        self.handle = handle
    }

    deinit { cic_jpeg_reader_destroy(handle) }

    /// Makes the reader continue after damaged data, as libjpeg does by default.
    ///
    /// Call this method before reading the header.
    func acceptDamage() {
        cic_jpeg_reader_accept_damage(handle)
    }

    /// Reads the file up to its first scan; call this method before any other method that reads.
    func readHeader() throws(ImageDecodingError) -> Header {
        var header = cic_jpeg_header()
        try check(cic_jpeg_reader_read_header(handle, &header))
        return Header(
            size: PixelSize(width: Int(header.width), height: Int(header.height)),
            isProgressive: header.is_progressive,
            color: header.color,
            coarsestSampling: PixelSize(
                width: Int(header.coarsest_sampling.width),
                height: Int(header.coarsest_sampling.height)
            ),
            coefficientByteCount: Int(clamping: header.coefficient_byte_count)
        )
    }

    /// Prepares to read rows at `scale` and returns the size of the scaled image.
    func start(scale: JPEGScale, memoryLimit: Int) throws(ImageDecodingError) -> PixelSize {
        var output = cic_size()
        try check(
            cic_jpeg_reader_start(handle, Int32(scale.rawValue), memoryLimit, &output),
            memoryLimit: memoryLimit
        )
        return PixelSize(width: Int(output.width), height: Int(output.height))
    }

    /// Makes `consumeScans` stop as soon as the scans contain all coefficients that `detail`
    /// requires.
    func finishEarly(at detail: JPEGDetail) {
        let bits = detail.missingBits.map {
            cic_jpeg_missing_bits(of_mean: Int32($0.ofMean), of_others: Int32($0.ofOthers))
        }
        cic_jpeg_reader_finish_early(
            handle,
            Int32(detail.coefficientCount),
            bits,
            Int32(bits.count)
        )
    }

    /// Reads up to `blockRowCount` rows of blocks of a file with several scans.
    ///
    /// Returns false after the last required scan. For other files, returns false immediately.
    func consumeScans(
        blockRowCount: Int,
        maximumScanCount: Int = DecodingLimits().maximumScanCount
    ) throws(ImageDecodingError) -> Bool {
        let status = try check(cic_jpeg_reader_consume(handle, Int32(blockRowCount)))
        guard cic_jpeg_reader_scan_count(handle) <= maximumScanCount else {
            throw .tooManyScans(limit: maximumScanCount)
        }
        return status == .ok
    }

    /// Makes the reader use only the complete scans; call this method after `consumeScans` throws
    /// an error.
    ///
    /// Throws the error again if no scan is complete.
    func useCompleteScans() throws(ImageDecodingError) {
        try check(cic_jpeg_reader_use_complete_scans(handle))
    }

    /// Reads up to `rowCount` rows into `rows` and returns the number of rows read, or 0 at the
    /// end.
    ///
    /// If an error occurs and `passesOver` returns true for it, returns the number of rows before
    /// the error.
    func readRows(
        into rows: UnsafeMutableBufferPointer<UInt8>,
        rowCount: Int,
        passesOver: (ImageDecodingError) -> Bool = { _ in false }
    ) throws(ImageDecodingError) -> Int {
        guard let start = rows.baseAddress else { return 0 }
        var rowsRead: Int32 = 0
        let status = cic_jpeg_reader_read_rows(handle, start, Int32(rowCount), &rowsRead)
        do throws(ImageDecodingError) {
            try check(status)
        } catch {
            guard passesOver(error) else { throw error }
        }
        return Int(rowsRead)
    }

    @discardableResult
    private func check(
        _ status: cic_status,
        memoryLimit: Int = 0
    ) throws(ImageDecodingError) -> cic_status {
        guard
            let error = ImageDecodingError(
                status,
                of: .jpeg,
                message: cic_jpeg_reader_message(handle),
                memoryLimit: memoryLimit
            )
        else { return status }
        throw error
    }
}

/// Converts C, M, Y, K rows to R, G, B, 255 in place.
///
/// If the profile has a color table, the table is used. Otherwise, the fractions of light that the
/// inks transmit are multiplied. Files with an Adobe marker store the transmitted light; other
/// files store the amount of ink.
enum CMYKConversion {
    static func convert(
        _ rows: UnsafeMutableBufferPointer<UInt8>,
        color: cic_jpeg_color,
        table: ColorTable?
    ) {
        guard color != .rgbx, let start = rows.baseAddress else { return }
        if let table { return table.convert(rows) }
        let mask: UInt8 = color == .cmyk ? 255 : 0
        var pixel = start
        for _ in 0..<rows.count / 4 {
            let key = UInt32(pixel[3] ^ mask)
            pixel[0] = product(pixel[0] ^ mask, key)
            pixel[1] = product(pixel[1] ^ mask, key)
            pixel[2] = product(pixel[2] ^ mask, key)
            pixel[3] = 255
            pixel += 4
        }
    }

    /// Returns `light * key / 255`, rounded.
    @inline(__always)
    private static func product(_ light: UInt8, _ key: UInt32) -> UInt8 {
        UInt8(truncatingIfNeeded: (UInt32(light) &* key &+ 127) / 255)
    }
}
