import Decoders
import ImageLoading

/// A small image for a processor, and its result.
struct ProcessedPicture {
    let image: DecodedImage

    init(_ width: Int, _ height: Int, hasAlpha: Bool = false, pixel: (Int, Int) -> [UInt8]) {
        var bytes: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width { bytes += pixel(x, y) }
        }
        let size = PixelSize(width: width, height: height)
        image = DecodedImage(
            pixels: PixelBuffer(size: size, bytes: bytes, hasAlpha: hasAlpha),
            properties: ImageProperties(
                format: .png,
                size: size,
                orientation: 1,
                hasAlpha: hasAlpha,
                isProgressive: false
            ),
            isFinal: false
        )
    }

    /// Creates an image of opaque grays.
    init(_ width: Int, _ height: Int, gray: (Int, Int) -> UInt8) {
        self.init(width, height) { x, y in
            let value = gray(x, y)
            return [value, value, value, 255]
        }
    }

    func processed(
        by processor: ImageProcessor,
        isCancelled: () -> Bool = { false }
    ) -> DecodedImage? {
        processor.process(image, isCancelled)
    }
}

extension DecodedImage {
    /// Returns one channel of each pixel, by default red.
    func channel(_ number: Int = 0) -> [UInt8] {
        stride(from: number, to: pixels.bytes.count, by: 4).map { pixels.bytes[$0] }
    }

    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        let start = (y * pixels.size.width + x) * 4
        return Array(pixels.bytes[start..<start + 4])
    }
}
