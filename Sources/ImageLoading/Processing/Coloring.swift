internal import Decoders

extension ImageProcessor {
    /// An sRGB color that is not premultiplied by alpha.
    public struct Color: Hashable, Sendable {
        /// Red, 0 to 255.
        public var red: UInt8
        /// Green, 0 to 255.
        public var green: UInt8
        /// Blue, 0 to 255.
        public var blue: UInt8
        /// Alpha, from 0 (transparent) to 255 (opaque).
        public var alpha: UInt8

        /// Creates a color, opaque by default.
        public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
            self.red = red
            self.green = green
            self.blue = blue
            self.alpha = alpha
        }
    }

    /// How `tint` mixes a color with an image.
    ///
    /// A color with an alpha of 50 % has half the effect of an opaque color.
    public enum TintMode: String, Hashable, Sendable, CaseIterable {
        /// Multiplies each channel of the image by the same channel of the color.
        ///
        /// White becomes the color, and black stays black.
        case multiply
        /// Covers the image with the color.
        ///
        /// If the color is opaque, only the shape of the image remains, as for an icon.
        case over
    }

    /// Tints an image; transparent pixels stay transparent.
    ///
    /// The tint is computed from the encoded sRGB values, as in browsers and image editors.
    public static func tint(_ color: Color, mode: TintMode = .multiply) -> ImageProcessor {
        let name = [color.red, color.green, color.blue, color.alpha].map { "\($0)" }
            .joined(separator: ",")
        return ImageProcessor(
            identifier: "tint(\(name),\(mode.rawValue))"
        ) { image, isCancelled in
            // The tinted value for each possible value of a channel.
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

    /// Rounds the corners of an image; the area outside the rounded corners becomes transparent.
    ///
    /// `radius` is in pixels of the image that the processor receives. It is limited to half of the
    /// shorter side, which turns a square into a circle. The edges are antialiased.
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
    /// Returns the tinted value for each of the 256 values of a channel.
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

/// The four quarter circles in the corners of an image.
private struct Corner {
    let radius: Double
    let size: PixelSize

    /// Makes the pixels of a row transparent where they are outside the rounded corners.
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
