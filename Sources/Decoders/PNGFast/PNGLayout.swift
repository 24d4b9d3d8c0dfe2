internal import CImageCodecs

/// The storage format of a PNG's pixels, according to the header that libpng read.
struct PNGLayout {
    /// The format of a pixel's samples.
    enum Color {
        /// 8-bit R, G, B.
        case rgb
        /// 8-bit R, G, B, A.
        case rgba
        /// An index of 1, 2, 4 or 8 bits into `table`, for palettes and gray.
        case indexed(bitCount: Int)
        /// `count` other samples per pixel: gray with alpha, or 16-bit samples if `isWide` is true.
        case samples(count: Int, isWide: Bool)
    }

    /// The number of readable bytes required after the last row, because rows are read in units of
    /// several bytes.
    static let marginByteCount = 8

    let size: PixelSize
    let color: Color
    /// The color for each index; R is in the lowest byte, and A in the highest.
    let table: [UInt32]
    /// The transparent color, as 16-bit samples, or nil if the file specifies none.
    let transparentColor: SIMD4<UInt16>?
    /// The offset of the first IDAT chunk.
    let dataOffset: Int
    /// The number of bytes per row, excluding the byte with the row's filter.
    let rowByteCount: Int
    /// The distance in bytes from a byte to the corresponding byte of the pixel to the left, from
    /// which filters predict the byte.
    let filterDistance: Int

    /// The number of bytes per row, including the byte with the row's filter.
    var rowStride: Int { rowByteCount + 1 }

    /// The total number of bytes in the inflated rows.
    var byteCount: Int { rowStride.saturatingMultiply(by: size.height) }
}

extension PNGLayout {
    /// Creates the layout from the values that libpng reports; returns nil if libpng must apply
    /// gamma.
    init?(_ layout: cic_png_layout, palette: [UInt8], size: PixelSize) {
        guard !layout.converts_gamma else { return nil }
        let depth = Int(layout.bit_depth)
        let sampleCount =
            switch layout.color {
            case .gray, .palette: 1
            case .gray_alpha: 2
            case .rgb: 3
            case .rgba: 4
            }
        self.size = size
        transparentColor =
            layout.has_transparent_color
            ? SIMD4(
                layout.transparent_red,
                layout.transparent_green,
                layout.transparent_blue,
                0
            ) : nil
        switch layout.color {
        case .rgb where depth == 8: color = .rgb
        case .rgba where depth == 8: color = .rgba
        case .gray where depth <= 8, .palette: color = .indexed(bitCount: depth)
        default: color = .samples(count: sampleCount, isWide: depth == 16)
        }
        table =
            layout.color == .palette
            ? Self.colors(ofPalette: palette)
            : Self.grays(bitCount: depth, transparent: transparentColor?.x)
        dataOffset = layout.data_offset
        let bitCount = depth * sampleCount
        rowByteCount = (size.width * bitCount + 7) / 8
        filterDistance = max(1, bitCount / 8)
    }

    private static func colors(ofPalette palette: [UInt8]) -> [UInt32] {
        stride(from: 0, to: palette.count, by: 4).map { start in
            palette[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    private static func grays(bitCount: Int, transparent: UInt16?) -> [UInt32] {
        guard bitCount <= 8 else { return [] }
        let white = 1 << bitCount - 1
        // The bits above the sample depth have no meaning (PNG, 11.3.2.1).
        let hole = transparent.map { Int($0) & white }
        return (0...white).map { sample in
            UInt32(sample * 255 / white) * 0x10101 | (sample == hole ? 0 : 0xFF00_0000)
        }
    }
}
