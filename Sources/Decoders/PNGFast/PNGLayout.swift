internal import CImageCodecs

/// How the pixels of a PNG are stored, as libpng read it from the header.
struct PNGLayout {
    /// How the samples of a pixel make its colour.
    enum Color {
        /// 8-bit R, G, B.
        case rgb
        /// 8-bit R, G, B, A.
        case rgba
        /// An index of 1, 2, 4 or 8 bits into `table`: palettes and grey.
        case indexed(bitCount: Int)
        /// Any other samples, each pixel `count` of them: grey and alpha, or whatever has 16 bits.
        case samples(count: Int, isWide: Bool)
    }

    /// Rows are read four bytes at a time, so some bytes must follow the last.
    static let marginByteCount = 8

    /// Width and height of the stored picture.
    let size: PixelSize
    /// How samples make colours.
    let color: Color
    /// The colour of each index: R in the lowest byte, A in the highest.
    let table: [UInt32]
    /// The samples of the one colour that is transparent, 16 bits each.
    let transparentColor: SIMD4<UInt16>?
    /// Where the first IDAT chunk starts.
    let dataOffset: Int
    /// The bytes of a row without its filter's number.
    let rowByteCount: Int
    /// The bytes from a sample to the one it is predicted from.
    let filterDistance: Int

    /// The bytes of a row with its filter's number.
    var rowStride: Int { rowByteCount + 1 }

    /// The bytes of all rows, inflated.
    var byteCount: Int { rowStride.saturatingMultiply(by: size.height) }
}

extension PNGLayout {
    /// Takes over what libpng found; nil if samples are to be changed by their gamma, which is left
    /// to libpng.
    init?(_ layout: cic_png_layout, palette: [UInt8], size: PixelSize) {
        guard !layout.converts_gamma else { return nil }
        let depth = Int(layout.bit_depth)
        let sampleCount =
            switch layout.color {
            case .grey, .palette: 1
            case .grey_alpha: 2
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
        case .grey where depth <= 8, .palette: color = .indexed(bitCount: depth)
        default: color = .samples(count: sampleCount, isWide: depth == 16)
        }
        table =
            layout.color == .palette
            ? Self.colors(ofPalette: palette)
            : Self.greys(bitCount: depth, transparent: transparentColor?.x)
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

    private static func greys(bitCount: Int, transparent: UInt16?) -> [UInt32] {
        guard bitCount <= 8 else { return [] }
        let white = 1 << bitCount - 1
        // The bits that a sample has not are without meaning (PNG, 11.3.2.1).
        let hole = transparent.map { Int($0) & white }
        return (0...white).map { sample in
            UInt32(sample * 255 / white) * 0x10101 | (sample == hole ? 0 : 0xFF00_0000)
        }
    }
}
