internal import CImageCodecs

/// A libpng reader for one file; the reader is destroyed with this value.
///
/// libpng errors are converted to Swift errors.
struct PNGReader: ~Copyable {
    struct Header {
        let size: PixelSize
        let hasAlpha: Bool
        let isInterlaced: Bool
        /// The number of passes over the rows: 7 for an interlaced image, otherwise 1.
        let passCount: Int
        /// The total number of bytes in the inflated rows.
        let storedByteCount: Int
        /// The number of bytes in the two rows that libpng keeps in memory.
        let workByteCount: Int
    }

    private let handle: OpaquePointer

    /// Creates a reader for `bytes`, which must outlive the reader.
    init(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImageDecodingError) {
        guard let start = bytes.baseAddress else { throw .truncated(.png) }
        guard let handle = cic_png_reader_create(start, bytes.count) else {
            throw .tooMuchMemory(byteCount: 0, limit: 0)
        }
        self.handle = handle
    }

    deinit { cic_png_reader_destroy(handle) }

    /// Makes the reader return the rows of a truncated file up to a few bytes before its end.
    ///
    /// Call this method before reading the header.
    func expectTruncation() {
        cic_png_reader_expect_truncation(handle)
    }

    /// Makes the reader accept data with a wrong checksum.
    ///
    /// Call this method before reading the header.
    func acceptDamage() {
        cic_png_reader_accept_damage(handle)
    }

    /// Makes the reader ignore gAMA, so samples are not converted.
    ///
    /// Call this method before reading the header.
    func ignoreGamma() {
        cic_png_reader_ignore_gamma(handle)
    }

    /// Makes the reader return 16-bit samples without reducing them to 8 bits.
    ///
    /// Call this method before reading the header, and only for files without interlacing.
    func keepWideSamples() {
        cic_png_reader_keep_wide_samples(handle)
    }

    /// Reads the file up to the pixels; call this method before reading pixels.
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

    /// Returns the layout for reading the pixels without libpng, or nil if libpng must read them.
    ///
    /// Call this method after reading the header and before reading any rows.
    func layout(of size: PixelSize) -> PNGLayout? {
        let (layout, palette) = layout()
        return PNGLayout(layout, palette: palette, size: size)
    }

    /// The offset of the first IDAT chunk.
    ///
    /// Available after the header has been read and before any rows are read.
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

    /// Reads the next `rowCount` rows of R, G, B, A into `rows`.
    ///
    /// In a pass of an interlaced image, only the pixels of that pass are written. If `fillsBlocks`
    /// is true, each pixel also fills the block that it represents until later passes are read.
    func readRows(
        into rows: UnsafeMutableBufferPointer<UInt8>,
        rowCount: Int,
        fillsBlocks: Bool = false
    ) throws(ImageDecodingError) {
        guard let start = rows.baseAddress else { return }
        let fill: cic_png_fill = fillsBlocks ? .blocks : .pixels
        try check(cic_png_reader_read_rows(handle, start, UInt32(rowCount), fill))
    }

    /// Reads the next row of a pass of an interlaced image and writes its pixels without gaps.
    ///
    /// Do not also call `readRows` for the same file. `row` must have room for a row of the entire
    /// image, even if the pass is narrower.
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
