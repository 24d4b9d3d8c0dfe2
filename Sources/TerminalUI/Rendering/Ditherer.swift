internal import Decoders

/// Reduces an image, pixel by pixel, to the colors that a terminal supports.
struct Ditherer {
    package let depth: ColorDepth
    package let dithering: Dithering
    /// Whether the symbols are dots instead of blocks.
    var isDots = false

    /// Returns the dithered image.
    ///
    /// If dithering is off or the terminal supports 24-bit color, the image is unchanged. On a
    /// terminal without colors, the result is always black and white.
    func dithered(_ plane: PixelPlane) -> PixelPlane {
        guard let palette = TerminalPalette(depth) else {
            guard depth == .monochrome else { return plane }
            return MonochromeDither(dithering: dithering, isDots: isDots).dithered(plane)
        }
        return switch dithering {
        case .none: plane
        case .ordered: OrderedDither.dithered(plane, palette: palette)
        case .diffusion: ErrorDiffusion.dithered(plane, palette: palette)
        }
    }
}

/// Ordered dithering with a pattern that depends only on the position.
///
/// A redrawn image therefore does not change.
enum OrderedDither {
    /// Returns a value of the 4×4 Bayer matrix, from 0 to 15.
    static func threshold(row: Int, column: Int) -> Int {
        matrix[(row & 3) * 4 + (column & 3)]
    }

    private static let matrix = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]

    /// Returns an image in the colors of a palette.
    static func dithered(_ plane: PixelPlane, palette: TerminalPalette) -> PixelPlane {
        replaced(plane) { color, row, column in
            entry(RGB(color), row: row, column: column, palette: palette).color.packed
        }
    }

    private static func replaced(
        _ plane: PixelPlane,
        _ color: (SIMD4<UInt8>, Int, Int) -> SIMD4<UInt8>
    ) -> PixelPlane {
        var plane = plane
        for row in 0..<plane.size.height {
            for column in 0..<plane.size.width {
                let place = row * plane.size.width + column
                // The background is not dithered.
                guard plane.colors[place].w > 0 else { continue }
                plane.colors[place] = color(plane.colors[place], row, column)
            }
        }
        return plane
    }

    /// Returns the palette entry for a pixel, chosen with Knoll's pattern dithering (US patent
    /// 6,606,166, expired 2019).
    ///
    /// The algorithm selects 16 entries with a mean close to the color, sorts them by brightness,
    /// and picks one of them with the matrix. The correction is limited to the palette's
    /// `ditherReach`.
    package static func entry(
        _ color: RGB,
        row: Int,
        column: Int,
        palette: TerminalPalette
    ) -> (index: UInt8, color: RGB) {
        let exact = palette.nearest(to: color)
        guard exact.color != color else { return exact }
        var chosen = InlineArray<16, Int>(repeating: 0)
        var error = RGB(red: 0, green: 0, blue: 0)
        for count in 0..<16 {
            let target = color.moved(by: error, atMost: palette.ditherReach)
            let entry = palette.nearest(to: target)
            // The brightness is in the high bits, and the entry is in the low eight bits.
            insert(entry.color.luma << 8 | Int(entry.index), into: &chosen, count: count)
            error.red += color.red - entry.color.red
            error.green += color.green - entry.color.green
            error.blue += color.blue - entry.color.blue
        }
        let index = UInt8(truncatingIfNeeded: chosen[threshold(row: row, column: column)])
        return (index, palette.color(of: index))
    }

    private static func insert(_ value: Int, into sorted: inout InlineArray<16, Int>, count: Int) {
        var place = count
        while place > 0, sorted[place - 1] > value {
            sorted[place] = sorted[place - 1]
            place -= 1
        }
        sorted[place] = value
    }
}

extension RGB {
    fileprivate func moved(by offset: RGB, atMost reach: Int) -> RGB {
        func move(_ value: Int, _ offset: Int) -> Int {
            max(0, min(255, value + max(-reach, min(reach, offset))))
        }
        return RGB(
            red: move(red, offset.red),
            green: move(green, offset.green),
            blue: move(blue, offset.blue)
        )
    }
}
