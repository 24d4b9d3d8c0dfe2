internal import Decoders

/// Brings an image's pixels to the colours of a terminal, each pixel for itself.
struct Ditherer {
    let depth: ColorDepth
    let dithering: Dithering

    /// The image in which tones between the colours are mixed from them; without dithering, or
    /// with all colours, as it was.
    ///
    /// Without colours it is black and white.
    func dithered(_ plane: PixelPlane) -> PixelPlane {
        guard let palette = Palette(depth) else {
            return depth == .monochrome ? blackAndWhite(plane) : plane
        }
        return switch dithering {
        case .none: plane
        case .ordered: OrderedDither.dithered(plane, palette: palette)
        case .diffusion: ErrorDiffusion.dithered(plane, palette: palette)
        }
    }

    private func blackAndWhite(_ plane: PixelPlane) -> PixelPlane {
        // Only brightness is left to tell things apart: use all of it.
        let tone = ToneRange(of: plane)
        var grey = plane
        for index in grey.colors.indices {
            let value = tone.stretched(RGB(grey.colors[index]).luma)
            grey.colors[index] = SIMD4(repeating: UInt8(clamping: value))
        }
        return switch dithering {
        case .none: OrderedDither.cut(grey) { _, _ in 127 }
        case .ordered:
            OrderedDither.cut(grey) { OrderedDither.threshold(row: $0, column: $1) * 16 + 7 }
        case .diffusion: ErrorDiffusion.dithered(grey, palette: .blackAndWhite)
        }
    }
}

/// Ordered dithering: the pattern depends on the place only, so that an image does not crawl when
/// it is drawn again.
enum OrderedDither {
    /// Bayer's 4×4 matrix, 0 to 15.
    static func threshold(row: Int, column: Int) -> Int {
        matrix[(row & 3) * 4 + (column & 3)]
    }

    private static let matrix = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]

    /// An image in the colours of a palette.
    static func dithered(_ plane: PixelPlane, palette: Palette) -> PixelPlane {
        replaced(plane) { color, row, column in
            entry(RGB(color), row: row, column: column, palette: palette).color.packed
        }
    }

    /// A grey image in black and white: white where it is above a threshold.
    static func cut(_ plane: PixelPlane, threshold: (Int, Int) -> Int) -> PixelPlane {
        replaced(plane) { color, row, column in
            SIMD4(repeating: Int(color.x) > threshold(row, column) ? 255 : 0)
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
                plane.colors[place] = color(plane.colors[place], row, column)
            }
        }
        return plane
    }

    /// The palette entry for one pixel.
    ///
    /// Knoll's pattern dithering (US patent 6,606,166, expired
    /// 2019): 16 entries whose mean is the colour, sorted by brightness, picked by the matrix.
    ///
    /// The correction is kept within the palette's `ditherReach`.
    static func entry(
        _ color: RGB,
        row: Int,
        column: Int,
        palette: Palette
    ) -> (index: UInt8, color: RGB) {
        let exact = palette.nearest(to: color)
        guard exact.color != color else { return exact }
        var chosen = InlineArray<16, Int>(repeating: 0)
        var error = RGB(red: 0, green: 0, blue: 0)
        for count in 0..<16 {
            let target = color.moved(by: error, atMost: palette.ditherReach)
            let entry = palette.nearest(to: target)
            // Brightness in the high bits, the entry in the low eight.
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

/// Dithering by error diffusion (Floyd and Steinberg, 1976): what a pixel can't show is shared out
/// to the four neighbours that come after it.
///
/// Rows are walked in turns from the left and from the right, so that the pattern doesn't lean.
enum ErrorDiffusion {
    static func dithered(_ plane: PixelPlane, palette: Palette) -> PixelPlane {
        let width = plane.size.width
        guard width > 0 else { return plane }
        var plane = plane
        // In sixteenths of a level, with a column on each side for what falls over the edge.
        var errors = Array(repeating: SIMD4<Int32>(), count: width + 2)
        var below = errors
        for row in 0..<plane.size.height {
            let isLeftward = !row.isMultiple(of: 2)
            let forward = isLeftward ? -1 : 1
            for step in 0..<width {
                let column = isLeftward ? width - 1 - step : step
                let place = row * width + column
                let target = target(plane.colors[place], error: errors[column + 1], palette)
                let shown = palette.nearest(to: RGB(target)).color.packed
                plane.colors[place] = shown
                let rest = signed(target) &- signed(shown)
                errors[column + 1 + forward] &+= rest &* 7
                below[column + 1 - forward] &+= rest &* 3
                below[column + 1] &+= rest &* 5
                below[column + 1 + forward] &+= rest
            }
            (errors, below) = (below, errors)
            for index in below.indices { below[index] = SIMD4() }
        }
        return plane
    }

    /// The colour plus the error of its neighbours, as far as a screen has it.
    ///
    /// The error is cut to the palette's reach: a hue that it doesn't have would otherwise pile up
    /// and come out as specks far from where it was.
    private static func target(
        _ color: SIMD4<UInt8>,
        error: SIMD4<Int32>,
        _ palette: Palette
    ) -> SIMD4<UInt8> {
        let reach = SIMD4(repeating: Int32(palette.ditherReach))
        let offset = (error / 16).clamped(lowerBound: SIMD4() &- reach, upperBound: reach)
        let target = (signed(color) &+ offset)
            .clamped(lowerBound: SIMD4(), upperBound: SIMD4(repeating: 255))
        return SIMD4(truncatingIfNeeded: target)
    }

    private static func signed(_ color: SIMD4<UInt8>) -> SIMD4<Int32> {
        SIMD4<Int32>(truncatingIfNeeded: color)
    }
}
