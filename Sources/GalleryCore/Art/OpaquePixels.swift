internal import Decoders

/// A picture's pixels laid over the backdrop that shows through its transparent parts.
struct OpaquePixels {
    private let pixels: PixelBuffer
    private let backdrop: Backdrop

    init(_ pixels: PixelBuffer, backdrop: Backdrop = .checkerboard) {
        self.pixels = pixels
        self.backdrop = backdrop
    }

    var size: PixelSize { pixels.size }

    /// The colour at a place inside the picture.
    func color(row: Int, column: Int) -> RGB {
        let start = (row * pixels.size.width + column) * 4
        let bytes = pixels.bytes
        let red = Int(bytes[start])
        let green = Int(bytes[start + 1])
        let blue = Int(bytes[start + 2])
        let alpha = Int(bytes[start + 3])
        guard pixels.hasAlpha, alpha < 255 else { return RGB(red: red, green: green, blue: blue) }
        let back = backdrop.grey(row: row, column: column) * (255 - alpha)
        return RGB(
            red: (red * alpha + back) / 255,
            green: (green * alpha + back) / 255,
            blue: (blue * alpha + back) / 255
        )
    }
}
