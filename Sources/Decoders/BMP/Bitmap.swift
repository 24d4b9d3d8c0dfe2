/// A device-independent bitmap, which BMP files and icons consist of: where its parts lie, and how its
/// pixels are stored.
///
///     size of the header (32) | width (32) | height (32, negative: top down) | planes (16)
///     | bits a pixel (16) | compression (32) | bytes of pixels (32) | … | colours used (32) | …
///     | masks of red, green, blue, alpha | palette of blue, green, red, 0 | pixels
///
/// Microsoft's documentation of BITMAPINFOHEADER and BITMAPV5HEADER says the rest. The oldest header,
/// of 12 bytes, has sides of 16 bits and palettes of three bytes a colour.
struct Bitmap {
    /// How pixels are stored.
    enum Coding {
        /// Places in the palette, of so many bits each.
        case palette(bitCount: Int)
        /// Places in the palette, of 4 or 8 bits, in runs.
        case runs(bitCount: Int)
        /// Channels in a number of so many bytes.
        case channels([BitmapChannel], byteCount: Int)
    }

    let size: PixelSize
    let isTopDown: Bool
    let coding: Coding
    /// R, G, B of each colour.
    let palette: [UInt8]
    /// Where the pixels start.
    let dataOffset: Int
    let hasAlpha: Bool

    private static let oldHeaderByteCount = 12
    private static let smallestHeaderByteCount = 40

    /// Reads the header at `offset` of a file whose pixels start at `dataOffset`, or behind the palette.
    ///
    /// In an icon the height counts the mask too, and 32 bits a pixel have an alpha.
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
        hasAlpha = isIcon || masks.count > 3 && masks[3] != 0
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
        let palette = header.palette(file, at: offset)
        self.palette = palette.colors
        self.dataOffset = dataOffset ?? palette.end
    }

    /// The bytes of a row, which end at multiples of four.
    ///
    /// Of runs, whose rows are as long as they are, those of the places they stand for.
    var rowByteCount: Int {
        switch coding {
        case .palette(let bitCount): (size.width * bitCount + 31) / 32 * 4
        case .runs: size.width
        case .channels(_, let byteCount): (size.width * byteCount + 3) / 4 * 4
        }
    }
}

/// A channel of pixels that are numbers: which of their bits it has.
struct BitmapChannel {
    private let shift: Int
    private let maximum: Int

    init(mask: Int) {
        shift = mask == 0 ? 0 : mask.trailingZeroBitCount
        maximum = mask >> shift
    }

    /// Its part of `pixel` as 0 to 255; full if it has no bits.
    func value(of pixel: Int) -> UInt8 {
        guard maximum > 0 else { return 255 }
        let value = pixel >> shift & maximum
        return UInt8(clamping: maximum == 255 ? value : (value * 255 + maximum / 2) / maximum)
    }

    /// Whether it is these eight bits.
    func isByte(at index: Int) -> Bool { maximum == 255 && shift == index * 8 }
}

/// The numbers in a bitmap's header.
private struct BitmapHeader {
    let byteCount: Int
    let width: Int
    let height: Int
    let bitCount: Int
    var compression = 0
    private var colorCount = 0
    private var isOld: Bool { byteCount == 12 }

    /// Nil if there is none.
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

    /// Which bits are red, green, blue and, where the file says so, alpha.
    func masks(_ file: LittleEndianBytes, at offset: Int) -> [Int] {
        if compression == 3 || compression == 6 {
            let hasAlpha = compression == 6 || byteCount >= 56
            return (0..<(hasAlpha ? 4 : 3)).map { file.uint32(at: offset + 40 + $0 * 4) ?? 0 }
        }
        return bitCount == 16
            ? [0x7C00, 0x03E0, 0x001F] : [0xFF_0000, 0xFF00, 0x00FF]
    }

    /// The palette as R, G, B, and where it ends.
    func palette(
        _ file: LittleEndianBytes,
        at offset: Int
    ) -> (colors: [UInt8], end: Int) {
        // Masks behind the smallest header are not in it.
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
        // Colours of pictures that need none stand there for old displays.
        let stored = bitCount > 8 ? min(colorCount, 1 << 16) : count
        return (colors, start + stored * entryByteCount)
    }
}

/// Bytes of a file in which numbers have their lowest byte first; what lies beyond the end is nil.
struct LittleEndianBytes {
    let bytes: UnsafeBufferPointer<UInt8>

    var count: Int { bytes.count }

    func uint8(at offset: Int) -> Int? { number(at: offset, byteCount: 1) }

    func uint16(at offset: Int) -> Int? { number(at: offset, byteCount: 2) }

    func uint32(at offset: Int) -> Int? { number(at: offset, byteCount: 4) }

    /// A number that can be negative.
    func int32(at offset: Int) -> Int? {
        uint32(at: offset).map { Int(Int32(truncatingIfNeeded: $0)) }
    }

    private func number(at offset: Int, byteCount: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - byteCount else { return nil }
        return bytes[offset..<offset + byteCount].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
