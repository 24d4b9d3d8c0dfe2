import Decoders

@testable import ImageLoading

extension ImageKey {
    /// Returns the key of an image of 10×10 pixels with an invented URL.
    static func named(_ name: String) -> ImageKey {
        guard let url = try? ImageURL(parsing: "http://a.example/\(name)", origin: .local) else {
            preconditionFailure("a name that makes no URL")
        }
        return ImageKey(url: url, targetSize: PixelSize(width: 10, height: 10))
    }
}

extension DecodedImage {
    /// Returns a square of one shade of gray.
    static func square(_ side: Int = 10, shade: UInt8 = 0) -> DecodedImage {
        let size = PixelSize(width: side, height: side)
        return of(
            PixelBuffer(
                size: size,
                bytes: [UInt8](repeating: shade, count: size.pixelCount * 4),
                hasAlpha: false
            )
        )
    }

    static func of(_ pixels: PixelBuffer) -> DecodedImage {
        DecodedImage(
            pixels: pixels,
            properties: ImageProperties(
                format: .png,
                size: pixels.size,
                orientation: 1,
                hasAlpha: false,
                isProgressive: false
            )
        )
    }
}
