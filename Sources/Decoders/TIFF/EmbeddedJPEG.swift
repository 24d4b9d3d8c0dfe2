/// The JPEG file inside a TIFF-based file that is decoded as its image.
struct EmbeddedJPEG {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let page: TIFFPages.Page

    /// Returns nil if the image of `file` is not a JPEG.
    init?(_ page: TIFFPages.Page, of file: UnsafeBufferPointer<UInt8>) {
        guard let range = page.jpeg else { return nil }
        bytes = UnsafeBufferPointer(rebasing: file[range])
        self.page = page
    }

    /// Returns the properties in the JPEG's header, as those of the file.
    func probe(as format: ImageFormat) throws(ImageDecodingError) -> ImageProperties {
        properties(try JPEGDecoder().probe(bytes), as: format)
    }

    /// Decodes the JPEG as the image of the file.
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

    /// The orientation of the directory, unless the JPEG has one, which its decoder applies.
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
