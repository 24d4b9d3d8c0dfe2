internal import Decoders

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
        var debts = Array(repeating: SIMD4<Int32>(), count: width + 2)
        var below = debts
        for row in 0..<plane.size.height {
            let isLeftward = !row.isMultiple(of: 2)
            let ahead = isLeftward ? -1 : 1
            for step in 0..<width {
                let column = isLeftward ? width - 1 - step : step
                let place = row * width + column
                let wish = wished(plane.colors[place], debt: debts[column + 1], palette)
                let shown = palette.nearest(to: RGB(wish)).color.packed
                plane.colors[place] = shown
                let error = signed(wish) &- signed(shown)
                debts[column + 1 + ahead] &+= error &* 7
                below[column + 1 - ahead] &+= error &* 3
                below[column + 1] &+= error &* 5
                below[column + 1 + ahead] &+= error
            }
            (debts, below) = (below, debts)
            for index in below.indices { below[index] = SIMD4() }
        }
        return plane
    }

    /// The colour with what the neighbours owe it, as far as a screen has it.
    ///
    /// The debt is cut to the palette's reach: a hue that it doesn't have would otherwise pile up
    /// and be paid with specks far from where it was.
    private static func wished(
        _ color: SIMD4<UInt8>,
        debt: SIMD4<Int32>,
        _ palette: Palette
    ) -> SIMD4<UInt8> {
        let reach = SIMD4(repeating: Int32(palette.ditherReach))
        let offset = (debt / 16).clamped(lowerBound: SIMD4() &- reach, upperBound: reach)
        let wish = (signed(color) &+ offset)
            .clamped(lowerBound: SIMD4(), upperBound: SIMD4(repeating: 255))
        return SIMD4(truncatingIfNeeded: wish)
    }

    private static func signed(_ color: SIMD4<UInt8>) -> SIMD4<Int32> {
        SIMD4<Int32>(truncatingIfNeeded: color)
    }
}
