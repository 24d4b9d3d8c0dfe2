internal import Decoders

extension ImageProcessor {
    /// A colour of sRGB; alpha is straight, 255 is opaque.
    public struct Color: Hashable, Sendable {
        /// Red, 0 to 255.
        public var red: UInt8
        /// Green, 0 to 255.
        public var green: UInt8
        /// Blue, 0 to 255.
        public var blue: UInt8
        /// Opacity, 0 to 255.
        public var alpha: UInt8

        /// Makes a colour, opaque by default.
        public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
            self.red = red
            self.green = green
            self.blue = blue
            self.alpha = alpha
        }
    }

    /// How `tint` mixes a colour with a picture; a colour that is half transparent does it by half.
    public enum TintMode: String, Hashable, Sendable, CaseIterable {
        /// Each channel is multiplied by the colour's: white becomes the colour, black stays.
        case multiply
        /// The colour lies over the picture: an opaque one leaves nothing but the picture's shape,
        /// as for an icon.
        case over
    }

    /// Tints a picture; what is transparent stays so.
    ///
    /// Computed on the coded values of sRGB, as browsers and image editors do.
    public static func tint(_ color: Color, mode: TintMode = .multiply) -> ImageProcessor {
        let name = [color.red, color.green, color.blue, color.alpha].map { "\($0)" }
            .joined(separator: ",")
        return ImageProcessor(
            identifier: "tint(\(name),\(mode.rawValue))"
        ) { image, isCancelled in
            // What becomes of each value of each channel.
            let (red, green, blue) = (
                mode.values(of: color.red, color.alpha),
                mode.values(of: color.green, color.alpha),
                mode.values(of: color.blue, color.alpha)
            )
            let size = image.pixels.size
            return image.remade(
                size: size,
                hasAlpha: image.pixels.hasAlpha,
                isCancelled
            ) { row, source, target in
                let line = source + row * size.width
                for column in 0..<size.width {
                    let pixel = line[column]
                    target[column] = Pixel(
                        red[Int(pixel.x)],
                        green[Int(pixel.y)],
                        blue[Int(pixel.z)],
                        pixel.w
                    )
                }
            }
        }
    }

    /// Rounds the corners of a picture: what lies outside of them becomes transparent.
    ///
    /// `radius` is in pixels of the picture it is given, at most half of the shorter side, which
    /// makes a circle of a square. The edges are antialiased.
    public static func roundCorners(radius: Double) -> ImageProcessor {
        ImageProcessor(identifier: "roundCorners(\(radius))") { image, isCancelled in
            let size = image.pixels.size
            let corner = Corner(
                radius: min(radius, Double(min(size.width, size.height)) / 2),
                size: size
            )
            guard corner.radius > 0 else { return image }
            return image.remade(size: size, hasAlpha: true, isCancelled) { row, source, target in
                target.update(from: source + row * size.width, count: size.width)
                corner.round(row, target)
            }
        }
    }
}

extension ImageProcessor.TintMode {
    /// The 256 values of a channel, tinted.
    fileprivate func values(of channel: UInt8, _ alpha: UInt8) -> [UInt8] {
        (0..<256).map { value in
            let tinted =
                switch self {
                case .multiply: (value * Int(channel) * 2 + 255) / 510
                case .over: Int(channel)
                }
            let mixed = tinted * Int(alpha) + value * (255 - Int(alpha))
            return UInt8((mixed * 2 + 255) / 510)
        }
    }
}

/// The four quarter circles of a picture's corners.
private struct Corner {
    let radius: Double
    let size: PixelSize

    /// Takes away from the alpha of a row what lies outside.
    func round(_ row: Int, _ pixels: UnsafeMutablePointer<Pixel>) {
        let fromEdge = Double(min(row, size.height - 1 - row)) + 0.5
        let down = radius - fromEdge
        guard down > 0 else { return }
        for column in 0..<min(size.width, Int(radius.rounded(.up))) {
            let across = radius - Double(column) - 0.5
            guard across > 0 else { break }
            let share = radius + 0.5 - (across * across + down * down).squareRoot()
            guard share < 1 else { break }
            fade(&pixels[column], to: max(0, share))
            let opposite = size.width - 1 - column
            if opposite != column { fade(&pixels[opposite], to: max(0, share)) }
        }
    }

    private func fade(_ pixel: inout Pixel, to share: Double) {
        pixel.w = UInt8((Double(pixel.w) * share).rounded())
    }
}
