internal import CImageCodecs

/// libpng's reader for one file, destroyed with the value; errors come out as Swift's.
struct PNGReader: ~Copyable {
    /// What the header says.
    struct Header {
        let size: PixelSize
        let hasAlpha: Bool
        let isInterlaced: Bool
        /// How often all rows have to be read: 1, or 7 when interlaced.
        let passCount: Int
        /// The bytes of all rows as they are stored, inflated.
        let storedByteCount: Int
        /// The bytes of the two rows libpng keeps.
        let workByteCount: Int
    }

    private let handle: OpaquePointer

    /// Opens `bytes`, which must outlive the reader.
    init(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImageDecodingError) {
        guard let start = bytes.baseAddress else { throw .truncated(.png) }
        guard let handle = cic_png_reader_create(start, bytes.count) else {
            throw .tooMuchMemory(byteCount: 0, limit: 0)
        }
        self.handle = handle
    }

    deinit { cic_png_reader_destroy(handle) }

    /// Makes rows come out up to a few bytes before the end of a file that is cut short; to be
    /// called before the header is read.
    func expectTruncation() {
        cic_png_reader_expect_truncation(handle)
    }

    /// Takes what has a wrong checksum as it is; to be called before the header is read.
    func acceptDamage() {
        cic_png_reader_accept_damage(handle)
    }

    /// Leaves samples as they are, whatever gAMA says; to be called before the header is read.
    func ignoreGamma() {
        cic_png_reader_ignore_gamma(handle)
    }

    /// Reads up to the pixels; the first call to make.
    func readHeader() throws(ImageDecodingError) -> Header {
        var header = cic_png_header()
        try check(cic_png_reader_read_header(handle, &header))
        return Header(
            size: PixelSize(width: Int(header.width), height: Int(header.height)),
            hasAlpha: header.has_alpha,
            isInterlaced: header.is_interlaced,
            passCount: Int(header.pass_count),
            storedByteCount: Int(clamping: header.stored_row_byte_count)
                .saturatingMultiply(by: Int(header.height)),
            workByteCount: Int(clamping: header.work_row_byte_count) * 2
        )
    }

    /// How the pixels are stored, to read them without libpng, or nil if they are left to it.
    ///
    /// To be called after the header is read, and before any row.
    func layout(of size: PixelSize) -> PNGLayout? {
        let (layout, palette) = layout()
        return PNGLayout(layout, palette: palette, size: size)
    }

    /// Where the first IDAT chunk starts; to be asked when the header is read, and before any row.
    var dataOffset: Int { layout().layout.data_offset }

    private func layout() -> (layout: cic_png_layout, palette: [UInt8]) {
        var layout = cic_png_layout()
        var palette = [UInt8](repeating: 0, count: 256 * 4)
        palette.withUnsafeMutableBufferPointer { palette in
            guard let start = palette.baseAddress else { return }
            cic_png_reader_get_layout(handle, &layout, start)
        }
        return (layout, palette)
    }

    /// Reads the next `rowCount` rows of R, G, B, A into `rows`; in a pass of an interlaced picture
    /// only that pass's pixels, or with `fillsBlocks` the whole block each stands for so far.
    func readRows(
        into rows: UnsafeMutableBufferPointer<UInt8>,
        rowCount: Int,
        fillsBlocks: Bool = false
    ) throws(ImageDecodingError) {
        guard let start = rows.baseAddress else { return }
        let fill: cic_png_fill = fillsBlocks ? .blocks : .pixels
        try check(cic_png_reader_read_rows(handle, start, UInt32(rowCount), fill))
    }

    /// Reads the next row of a pass of an interlaced picture, pixels side by side, instead of calling
    /// `readRows`; `row` has room for a row of the whole picture.
    func readPassRow(into row: UnsafeMutableRawBufferPointer) throws(ImageDecodingError) {
        guard let start = row.bindMemory(to: UInt8.self).baseAddress else { return }
        try check(cic_png_reader_read_pass_row(handle, start))
    }

    private func check(_ status: cic_status) throws(ImageDecodingError) {
        if let error = ImageDecodingError(
            status,
            of: .png,
            message: cic_png_reader_message(handle),
            memoryLimit: 0
        ) {
            throw error
        }
    }
}
