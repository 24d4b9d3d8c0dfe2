/// A JPEG file inside a TIFF-based file, decoded as the image of that file.
struct EmbeddedJPEG {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let page: TIFFPages.Page

    /// Finds the JPEG file in `page`; returns nil if the page is not stored as a JPEG file.
    init?(_ page: TIFFPages.Page, of file: UnsafeBufferPointer<UInt8>) {
        guard let range = page.jpeg else { return nil }
        bytes = UnsafeBufferPointer(rebasing: file[range])
        self.page = page
    }

    /// Returns the properties of the TIFF-based file, read from the JPEG's header.
    func probe(as format: ImageFormat) throws(ImageDecodingError) -> ImageProperties {
        properties(try JPEGDecoder().probe(bytes), as: format)
    }

    /// Decodes the JPEG; the result is the image of the TIFF-based file.
    func decode(
        as format: ImageFormat,
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage {
        var options = options
        options.targetSize = options.targetSize.map(remaining.apply)
        let image = try JPEGDecoder().decode(bytes, options: options)
        return DecodedImage(
            pixels: remaining.apply(to: image.pixels),
            properties: properties(image.properties, as: format),
            isFinal: image.isFinal,
            damage: image.damage,
            isThumbnail: image.isThumbnail || page.isStamp
        )
    }

    /// The orientation to apply after the JPEG is decoded.
    ///
    /// If the JPEG has its own orientation, the JPEG decoder has already applied it, and this value
    /// is `upright`. Otherwise, the value is the orientation of the page.
    private var remaining: Orientation {
        JPEGHeaderSegments(bytes).metadata.orientation == .upright ? page.orientation : .upright
    }

    private func properties(_ jpeg: ImageProperties, as format: ImageFormat) -> ImageProperties {
        ImageProperties(
            format: format,
            size: remaining.apply(to: jpeg.size),
            orientation: page.orientation.rawValue,
            hasAlpha: jpeg.hasAlpha,
            isProgressive: jpeg.isProgressive
        )
    }
}
