public import Decoders

/// Images for measurements.
public enum TestPicture {
    /// Returns smooth gradients with grain, which compress like a photograph.
    public static func pixels(_ size: PixelSize) -> PixelBuffer {
        var grain: UInt32 = 1
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size.pixelCount * 4)
        for row in 0..<size.height {
            for column in 0..<size.width {
                grain = grain &* 1_664_525 &+ 1_013_904_223
                let noise = Int(grain >> 28)
                let slope = (row * 160 / size.height, column * 160 / size.width)
                bytes += [UInt8(slope.0 + noise), UInt8(slope.1 + noise), UInt8(80 + noise), 255]
            }
        }
        return PixelBuffer(size: size, bytes: bytes, hasAlpha: false)
    }

    /// Returns the pixels as a decoded image.
    public static func decoded(_ size: PixelSize) -> DecodedImage {
        DecodedImage(
            pixels: pixels(size),
            properties: ImageProperties(
                format: .jpeg,
                size: size,
                orientation: 1,
                hasAlpha: false,
                isProgressive: false
            )
        )
    }
}
