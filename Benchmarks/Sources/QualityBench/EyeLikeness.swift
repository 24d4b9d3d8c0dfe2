import Foundation
import PrintedArt

/// The difference between a printed image and the original, as seen from a distance at which the
/// pixels merge.
///
/// Both are blurred in linear light, as S-CIELAB does before it compares (Zhang and Wandell, 1996),
/// with a Gaussian of 0.85 pixels, and compared in OKLab (Björn Ottosson, 2020). All values are in
/// hundredths of the distance from black to white.
struct EyeLikeness {
    /// The mean distance.
    let mean: Double
    /// The distance that 95 of 100 pixels do not exceed.
    let high: Double
    /// The mean error of the chroma.
    let chroma: Double
    /// The mean chroma gained; negative if chroma is lost.
    let gain: Double

    /// Creates the difference; nil if the image is not made of half blocks.
    init?(ofHalfBlocks picture: PrintedPicture, to original: Reference) {
        guard let picture = picture.reduced(by: 2, 6) else { return nil }
        let (width, height) = (picture.width, picture.height)
        let shown = picture.pixels.map { color in
            SIMD3(color.red, color.green, color.blue)
        }
        let wanted = original.averaged(toWidth: width, height: height)
        let pairs = zip(
            Self.seen(shown.map { Self.light(SIMD3<Double>($0)) }, width: width),
            Self.seen(
                stride(from: 0, to: wanted.count, by: 3).map { index in
                    Self.light(SIMD3(wanted[index], wanted[index + 1], wanted[index + 2]))
                },
                width: width
            )
        )
        let distances = pairs.map { (($0 - $1) * ($0 - $1)).sum().squareRoot() }
        let gains = pairs.map { Self.chroma($0) - Self.chroma($1) }
        guard !distances.isEmpty else { return nil }
        let count = Double(distances.count)
        mean = 100 * distances.reduce(0, +) / count
        high = 100 * distances.sorted()[distances.count * 95 / 100]
        chroma = 100 * gains.reduce(0) { $0 + abs($1) } / count
        gain = 100 * gains.reduce(0, +) / count
    }

    /// Returns the blurred image in OKLab.
    private static func seen(_ light: [SIMD3<Double>], width: Int) -> [SIMD3<Double>] {
        let height = light.count / width
        let columns = light.indices.map { place in
            blurred { light[place - place % width + min(max(place % width + $0, 0), width - 1)] }
        }
        return columns.indices.map { place in
            let row = place / width
            return okLab(
                blurred { columns[min(max(row + $0, 0), height - 1) * width + place % width] }
            )
        }
    }

    private static func blurred(_ neighbor: (Int) -> SIMD3<Double>) -> SIMD3<Double> {
        zip(-3...3, kernel).reduce(SIMD3()) { $0 + neighbor($1.0) * $1.1 }
    }

    private static let kernel: [Double] = {
        let weights = (-3...3).map { exp(-Double($0 * $0) / (2 * 0.85 * 0.85)) }
        let sum = weights.reduce(0, +)
        return weights.map { $0 / sum }
    }()

    private static func light(_ color: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(SRGB.decoded(color.x), SRGB.decoded(color.y), SRGB.decoded(color.z))
    }

    private static func chroma(_ color: SIMD3<Double>) -> Double {
        (color.y * color.y + color.z * color.z).squareRoot()
    }

    private static func okLab(_ light: SIMD3<Double>) -> SIMD3<Double> {
        let cones = SIMD3(
            cbrt((light * SIMD3(0.4122214708, 0.5363325363, 0.0514459929)).sum()),
            cbrt((light * SIMD3(0.2119034982, 0.6806995451, 0.1073969566)).sum()),
            cbrt((light * SIMD3(0.0883024619, 0.2817188376, 0.6299787005)).sum())
        )
        return SIMD3(
            (cones * SIMD3(0.2104542553, 0.7936177850, -0.0040720468)).sum(),
            (cones * SIMD3(1.9779984951, -2.4285922050, 0.4505937099)).sum(),
            (cones * SIMD3(0.0259040371, 0.7827717662, -0.8086757660)).sum()
        )
    }
}
