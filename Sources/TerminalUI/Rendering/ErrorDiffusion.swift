internal import Decoders
internal import SystemSupport

/// Dithering by error diffusion (Floyd and Steinberg, 1976).
///
/// The error of a pixel is distributed to the four neighbors that follow it. Errors are computed in
/// linear light because that is how pixels mix on the screen and in the eye. For 20 photos at 24×9
/// cells in 256 colors, error diffusion halves the error that remains after a blur, from 2.2 to 1.0
/// hundredths in OKLab. Computing the errors in encoded values leaves an error of 1.4 hundredths
/// and more noise. Rows alternate between left-to-right and right-to-left order, so the pattern has
/// no direction.
enum ErrorDiffusion {
    static func dithered(_ plane: PixelPlane, palette: TerminalPalette) -> PixelPlane {
        let width = plane.size.width
        guard width > 0 else { return plane }
        var plane = plane
        // An extra column on each side receives the errors beyond the edge.
        var errors = Array(repeating: SIMD4<Float>(), count: width + 2)
        var below = errors
        for row in 0..<plane.size.height {
            let isLeftward = !row.isMultiple(of: 2)
            let forward = isLeftward ? -1 : 1
            for step in 0..<width {
                let column = isLeftward ? width - 1 - step : step
                let place = row * width + column
                // The background is not dithered.
                guard plane.colors[place].w > 0 else { continue }
                let target = target(plane.colors[place], error: errors[column + 1], palette)
                let shown = palette.mixing(near: Light.color(of: target)).color.packed
                plane.colors[place] = shown
                let rest = (target - Light.amount(in: shown)) / 16
                errors[column + 1 + forward] += rest * 7
                below[column + 1 - forward] += rest * 3
                below[column + 1] += rest * 5
                below[column + 1 + forward] += rest
            }
            (errors, below) = (below, errors)
            for index in below.indices { below[index] = SIMD4() }
        }
        return plane
    }

    /// Returns the light of a pixel plus the errors from its neighbors, limited to the displayable
    /// range.
    ///
    /// The error is limited to the palette's `diffusedReach`. Otherwise, if the palette lacks a
    /// hue, the error would accumulate and appear as noise far away.
    private static func target(
        _ color: SIMD4<UInt8>,
        error: SIMD4<Float>,
        _ palette: TerminalPalette
    ) -> SIMD4<Float> {
        let reach = SIMD4(repeating: palette.diffusedReach)
        let offset = (error * palette.diffusedShare)
            .clamped(lowerBound: SIMD4() - reach, upperBound: reach)
        return (Light.amount(in: color) + offset)
            .clamped(lowerBound: SIMD4(), upperBound: SIMD4(repeating: 1))
    }
}

/// Conversions between encoded colors and linear light from 0 to 1.
private enum Light {
    static func amount(in color: SIMD4<UInt8>) -> SIMD4<Float> {
        SIMD4(amounts[Int(color.x)], amounts[Int(color.y)], amounts[Int(color.z)], 0)
    }

    static func color(of light: SIMD4<Float>) -> RGB {
        let places = SIMD4<Int>(light * Float(codes.count - 1) + 0.5)
        return RGB(red: codes[places.x], green: codes[places.y], blue: codes[places.z])
    }

    private static let amounts = (0...255).map { Float(SRGBTransfer.decode(Double($0) / 255)) }
    private static let codes = (0..<4096).map { place in
        let light = Float(place) / 4095
        let above = amounts.partitioningIndex { $0 >= light }
        guard above > 0, light - amounts[above - 1] < amounts[above] - light else { return above }
        return above - 1
    }
}
