internal import Decoders

/// Converts pixels to linear light and back, so they can be averaged correctly.
///
/// The amounts of light range from 0 to 65,535 and are premultiplied by alpha. An average of
/// encoded sRGB values would be too dark. Without premultiplication, the colors of invisible pixels
/// would affect the average.
enum LinearLight {
    private static let white: Float = 65_535

    /// The amount of light, from 0 to 65,535, for each encoded sRGB value.
    private static let light: [Float] = (0..<256).map { code in
        Float(SRGBTransfer.decode(Double(code) / 255)) * white
    }

    /// The encoded sRGB value for each amount of light, from 0 to 65,535.
    private static let code: [UInt8] = {
        var table = [UInt8](repeating: 255, count: Int(white) + 1)
        var start = 0
        for code in 0..<255 {
            let next = SRGBTransfer.decode((Double(code) + 0.5) / 255) * Double(white)
            let end = Int(next.rounded(.up))
            for value in start..<end { table[value] = UInt8(code) }
            start = end
        }
        return table
    }()

    /// Calls `body` with both tables; `body` should loop over all pixels.
    static func withTables<Result>(_ body: (Tables) -> Result) -> Result {
        light.withUnsafeBufferPointer { light in
            code.withUnsafeBufferPointer { code in body(Tables(light: light, code: code)) }
        }
    }

    /// The tables, which are valid only inside `withTables`.
    struct Tables {
        fileprivate let light: UnsafeBufferPointer<Float>
        fileprivate let code: UnsafeBufferPointer<UInt8>

        /// Returns the amounts of light of a pixel, premultiplied by alpha.
        @inline(__always)
        func light(of pixel: Pixel) -> SIMD4<Float> {
            let alpha = Float(pixel.w) * (1 / 255)
            return SIMD4(
                light[Int(pixel.x)] * alpha,
                light[Int(pixel.y)] * alpha,
                light[Int(pixel.z)] * alpha,
                alpha * LinearLight.white
            )
        }

        /// Returns the pixel that is nearest to the amounts of light.
        ///
        /// The amounts are premultiplied by alpha, but the pixel is not.
        @inline(__always)
        func pixel(of sum: SIMD4<Float>) -> Pixel {
            let alpha = (sum.w * (255 / LinearLight.white)).rounded()
            guard alpha >= 1 else { return Pixel(repeating: 0) }
            let limit = SIMD4<Float>(repeating: LinearLight.white)
            let color = (sum * (LinearLight.white / sum.w))
                .clamped(lowerBound: .zero, upperBound: limit)
            return Pixel(
                code[Int(color.x.rounded())],
                code[Int(color.y.rounded())],
                code[Int(color.z.rounded())],
                UInt8(min(alpha, 255))
            )
        }
    }
}
