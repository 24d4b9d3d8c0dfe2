/// The layout of a device-independent bitmap in a BMP file or an icon.
///
///     size of the header (32) | width (32) | height (32, negative: top-down) | planes (16)
///     | bits per pixel (16) | compression (32) | bytes of pixels (32) | … | colors used (32) | …
///     | masks of red, green, blue, alpha | palette of blue, green, red, 0 | pixels
///
/// Numbers in parentheses are sizes in bits. For details, see Microsoft's documentation of
/// BITMAPINFOHEADER and BITMAPV5HEADER. The oldest header has 12 bytes; its width and height have
/// 16 bits, and its palettes have three bytes per color.
struct Bitmap {
    /// The encoding of the stored pixels.
    enum Coding {
        /// Palette indices of `bitCount` bits each.
        case palette(bitCount: Int)
        /// Run-length encoded palette indices of 4 or 8 bits.
        case runs(bitCount: Int)
        /// One number of `byteCount` bytes per pixel; each channel is a bit field of the number.
        case channels([BitmapChannel], byteCount: Int)
    }

    let size: PixelSize
    let isTopDown: Bool
    let coding: Coding
    /// The red, green and blue bytes of each color.
    let palette: [UInt8]
    /// The offset of the pixels in the file.
    let dataOffset: Int
    let hasAlpha: Bool
    /// The range of the embedded color profile in the file, or nil if the bitmap has none.
    let profile: Range<Int>?

    private static let smallestHeaderByteCount = 40

    /// Reads the bitmap with the header at `offset`.
    ///
    /// If `dataOffset` is nil, the pixels start after the palette. In an icon, the bitmap has
    /// alpha, and the height in its header includes the rows of the mask.
    init(
        _ file: LittleEndianBytes,
        at offset: Int,
        dataOffset: Int?,
        isIcon: Bool,
        format: ImageFormat
    ) throws(ImageDecodingError) {
        guard let header = BitmapHeader(file, at: offset) else {
            guard file.uint32(at: offset) != nil,
                file.count >= offset + Self.smallestHeaderByteCount
            else { throw .truncated(format) }
            throw .corrupt(format, "invalid header")
        }
        size = PixelSize(
            width: header.width,
            height: isIcon ? abs(header.height) / 2 : abs(header.height)
        )
        isTopDown = header.height < 0
        let masks = header.masks(file, at: offset)
        profile = header.profile(file, at: offset)
        switch (header.compression, header.bitCount) {
        case (0, 1), (0, 2), (0, 4), (0, 8): coding = .palette(bitCount: header.bitCount)
        case (1, 8), (2, 4): coding = .runs(bitCount: header.bitCount)
        case (0, 16), (0, 24), (0, 32), (3, 16), (3, 32), (6, 16), (6, 32):
            coding = .channels(
                masks.map(BitmapChannel.init),
                byteCount: header.bitCount / 8
            )
        case (0, let count): throw .unsupportedFeature(format, "\(count) bits a pixel")
        case (4, _): throw .unsupportedFeature(format, "a JPEG in a bitmap")
        case (5, _): throw .unsupportedFeature(format, "a PNG in a bitmap")
        case (let compression, _):
            throw .unsupportedFeature(format, "compression \(compression)")
        }
        hasAlpha = isIcon || masks.count > 3 && masks[3] != 0
        let palette = header.palette(file, at: offset)
        self.palette = palette.colors
        self.dataOffset = dataOffset ?? palette.end
    }

    /// The number of bytes per row, padded to a multiple of four.
    ///
    /// Run-length encoded rows have no fixed length, so for them the value is the number of palette
    /// indices per row after decoding.
    var rowByteCount: Int {
        switch coding {
        case .palette(let bitCount): (size.width * bitCount + 31) / 32 * 4
        case .runs: size.width
        case .channels(_, let byteCount): (size.width * byteCount + 3) / 4 * 4
        }
    }
}

/// A channel (red, green, blue or alpha) in a pixel that is stored as a number.
struct BitmapChannel {
    private let shift: Int
    private let maximum: Int

    init(mask: Int) {
        shift = mask == 0 ? 0 : mask.trailingZeroBitCount
        maximum = mask >> shift
    }

    /// Returns the channel's value in `pixel`, scaled to 0 through 255.
    ///
    /// If the channel has no bits, returns 255.
    func value(of pixel: Int) -> UInt8 {
        guard maximum > 0 else { return 255 }
        let value = pixel >> shift & maximum
        return UInt8(clamping: maximum == 255 ? value : (value * 255 + maximum / 2) / maximum)
    }

    /// Returns whether this channel occupies exactly byte `index` of a pixel.
    func isByte(at index: Int) -> Bool { maximum == 255 && shift == index * 8 }
}

/// The fields of a bitmap's header.
private struct BitmapHeader {
    let byteCount: Int
    let width: Int
    let height: Int
    let bitCount: Int
    var compression = 0
    private var colorCount = 0
    private var isOld: Bool { byteCount == 12 }

    /// Reads the header at `offset`; returns nil if it is incomplete or invalid.
    init?(_ file: LittleEndianBytes, at offset: Int) {
        guard let byteCount = file.uint32(at: offset) else { return nil }
        self.byteCount = byteCount
        if byteCount == 12 {
            guard let width = file.uint16(at: offset + 4),
                let height = file.uint16(at: offset + 6),
                let bitCount = file.uint16(at: offset + 10)
            else { return nil }
            (self.width, self.height, self.bitCount) = (width, height, bitCount)
            return
        }
        guard (16...256).contains(byteCount), let width = file.int32(at: offset + 4), width >= 0,
            let height = file.int32(at: offset + 8), let bitCount = file.uint16(at: offset + 14)
        else { return nil }
        (self.width, self.height, self.bitCount) = (width, height, bitCount)
        guard byteCount >= 40 else { return }
        compression = file.uint32(at: offset + 16) ?? 0
        colorCount = file.uint32(at: offset + 32) ?? 0
    }

    /// Returns the bit masks of red, green, blue and, if the file defines it, alpha.
    func masks(_ file: LittleEndianBytes, at offset: Int) -> [Int] {
        if compression == 3 || compression == 6 {
            let hasAlpha = compression == 6 || byteCount >= 56
            return (0..<(hasAlpha ? 4 : 3)).map { file.uint32(at: offset + 40 + $0 * 4) ?? 0 }
        }
        return bitCount == 16
            ? [0x7C00, 0x03E0, 0x001F] : [0xFF_0000, 0xFF00, 0x00FF]
    }

    /// Returns the range of the color profile of a BITMAPV5HEADER, or nil if it has none.
    ///
    /// If a profile is embedded, the `bV5CSType` field (56) contains "MBED", and the
    /// `bV5ProfileData` field (112) contains the profile's offset from the start of the header.
    func profile(_ file: LittleEndianBytes, at offset: Int) -> Range<Int>? {
        guard byteCount == 124, file.uint32(at: offset + 56) == 0x4D42_4544,
            let start = file.uint32(at: offset + 112), let count = file.uint32(at: offset + 116),
            offset + start + count <= file.count
        else { return nil }
        return offset + start..<offset + start + count
    }

    /// Returns the palette as R, G, B bytes, and the file offset of its end.
    func palette(
        _ file: LittleEndianBytes,
        at offset: Int
    ) -> (colors: [UInt8], end: Int) {
        // The masks follow a 40-byte header; longer headers include them.
        let maskByteCount =
            byteCount == 40 ? (compression == 3 ? 12 : compression == 6 ? 16 : 0) : 0
        let start = offset + byteCount + maskByteCount
        let entryByteCount = isOld ? 3 : 4
        let most = bitCount <= 8 ? 1 << bitCount : 0
        let count = colorCount == 0 || bitCount > 8 ? most : min(colorCount, most)
        let colors = (0..<count).flatMap { index -> [UInt8] in
            let entry = start + index * entryByteCount
            return [2, 1, 0].map { UInt8(file.uint8(at: entry + $0) ?? 0) }
        }
        // Bitmaps that do not use a palette may still contain one for old displays.
        let stored = bitCount > 8 ? min(colorCount, 1 << 16) : count
        return (colors, start + stored * entryByteCount)
    }
}

/// Reads little-endian numbers from a file; numbers past the end of the file are nil.
struct LittleEndianBytes {
    let bytes: UnsafeBufferPointer<UInt8>

    var count: Int { bytes.count }

    func uint8(at offset: Int) -> Int? { number(at: offset, byteCount: 1) }

    func uint16(at offset: Int) -> Int? { number(at: offset, byteCount: 2) }

    func uint32(at offset: Int) -> Int? { number(at: offset, byteCount: 4) }

    /// Returns the signed 32-bit number at `offset`.
    func int32(at offset: Int) -> Int? {
        uint32(at: offset).map { Int(Int32(truncatingIfNeeded: $0)) }
    }

    private func number(at offset: Int, byteCount: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - byteCount else { return nil }
        return bytes[offset..<offset + byteCount].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
