/// Brings a picture's pixels to the colours of a terminal, each pixel for itself.
struct Ditherer {
    let depth: ColorDepth
    let dithering: Dithering

    /// The picture in which tones between the colours are mixed from them; without dithering, or
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
