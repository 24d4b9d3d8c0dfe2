import Decoders
import Glibc

/// The area average according to its definition, in Double: slow, and sharing no code with the
/// resampler.
enum ReferenceResampler {
    static func resample(_ source: PixelBuffer, to size: PixelSize) -> PixelBuffer {
        PixelBuffer(width: size.width, height: size.height) { column, row in
            pixel(
                of: source,
                left: Double(column * source.size.width) / Double(size.width),
                right: Double((column + 1) * source.size.width) / Double(size.width),
                top: Double(row * source.size.height) / Double(size.height),
                bottom: Double((row + 1) * source.size.height) / Double(size.height)
            )
        }
    }

    private static func pixel(
        of source: PixelBuffer,
        left: Double,
        right: Double,
        top: Double,
        bottom: Double
    ) -> Pixel {
        var (sums, alpha) = ([0.0, 0.0, 0.0], 0.0)
        for y in Int(top)..<min(source.size.height, Int(bottom.rounded(.up))) {
            for x in Int(left)..<min(source.size.width, Int(right.rounded(.up))) {
                let area = overlap(x, left, right) * overlap(y, top, bottom)
                let pixel = source[x, y]
                let weight = area * Double(pixel.alpha) / 255
                alpha += weight
                for (index, value) in [pixel.red, pixel.green, pixel.blue].enumerated() {
                    sums[index] += weight * linear(value)
                }
            }
        }
        guard alpha > 0 else { return Pixel(0, 0, 0, 0) }
        let coded = sums.map { code($0 / alpha) }
        let coverage = (alpha / ((right - left) * (bottom - top)) * 255).rounded()
        return Pixel(coded[0], coded[1], coded[2], UInt8(min(255, coverage)))
    }

    private static func overlap(_ index: Int, _ start: Double, _ end: Double) -> Double {
        max(0, min(end, Double(index + 1)) - max(start, Double(index)))
    }

    private static func linear(_ value: UInt8) -> Double {
        let coded = Double(value) / 255
        return coded <= 0.04045 ? coded / 12.92 : pow((coded + 0.055) / 1.055, 2.4)
    }

    private static func code(_ light: Double) -> UInt8 {
        let coded = light <= 0.003_130_8 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
        return UInt8((min(1, coded) * 255).rounded())
    }
}
