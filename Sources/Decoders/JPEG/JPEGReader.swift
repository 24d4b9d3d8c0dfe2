internal import CImageCodecs

/// libjpeg's decompressor for one file, destroyed with the value; errors come out as Swift's.
struct JPEGReader: ~Copyable {
    /// What the header says.
    struct Header {
        let size: PixelSize
        let isProgressive: Bool
        let color: cic_jpeg_color
        /// The pixels each way that share a sample of the most coarsely sampled component.
        let coarsestSampling: PixelSize
        /// The bytes libjpeg will hold for the coefficients of a file of many scans.
        let coefficientByteCount: Int

        /// What a profile says of samples of so many components.
        func colors(of profile: [UInt8], _ componentCount: Int) -> FileColors {
            switch color {
            case .rgbx: FileColors(profile, isGrey: componentCount == 1)
            case .cmyk: .inks(profile, areLight: false)
            case .adobe: .inks(profile, areLight: true)
            }
        }
    }

    private let handle: OpaquePointer

    /// Opens `bytes`, which must outlive the reader.
    init(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImageDecodingError) {
        guard let start = bytes.baseAddress else { throw .truncated(.jpeg) }
        guard let handle = cic_jpeg_reader_create(start, bytes.count) else {
            throw .tooMuchMemory(byteCount: 0, limit: 0)
        }
        self.handle = handle
    }

    deinit { cic_jpeg_reader_destroy(handle) }

    /// Goes on behind damaged data, as libjpeg does by itself; to be called before the header is read.
    func acceptDamage() {
        cic_jpeg_reader_accept_damage(handle)
    }

    /// Reads up to the first scan; the first call to make.
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

    /// Makes ready to hand out rows at `scale`; returns the size they will have.
    func start(scale: JPEGScale, memoryLimit: Int) throws(ImageDecodingError) -> PixelSize {
        var output = cic_size()
        try check(
            cic_jpeg_reader_start(handle, Int32(scale.rawValue), memoryLimit, &output),
            memoryLimit: memoryLimit
        )
        return PixelSize(width: Int(output.width), height: Int(output.height))
    }

    /// Lets `consumeScans` end with the scan that brings the last of `detail`.
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

    /// Takes in a few rows of blocks of a file of many scans; false when the last scan that is
    /// needed is in, at once for other files.
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

    /// Goes on to the rows of the scans that are complete, after `consumeScans` threw `truncated`;
    /// throws it again if there is none.
    func useCompleteScans() throws(ImageDecodingError) {
        try check(cic_jpeg_reader_use_complete_scans(handle))
    }

    /// Fills `rows` with up to `rowCount` rows and returns how many.
    ///
    /// Where they end with an error that `passesOver` says yes to, it returns the rows before; 0 then
    /// means that there are no more.
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

/// Turns rows of C, M, Y, K into R, G, B, 255 in place.
///
/// By the table of their profile, else the plain product of what each ink lets through. Files with an
/// Adobe marker store the light that is let through, others the ink.
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

    /// `light * key / 255`, rounded.
    @inline(__always)
    private static func product(_ light: UInt8, _ key: UInt32) -> UInt8 {
        UInt8(truncatingIfNeeded: (UInt32(light) &* key &+ 127) / 255)
    }
}
