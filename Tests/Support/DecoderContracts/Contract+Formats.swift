import Decoders

extension Contract {
    /// Any bytes are decoded to a picture no larger than asked for, to frames within their budget, or to
    /// an error, whole and reduced, damaged or not: one contract for each format beside JPEG and PNG.
    public static let formats: [Contract] = [
        Contract("BMP", BMPDecoder()), Contract("ICO", ICODecoder()), Contract("QOI", QOIDecoder()),
        Contract("GIF", LibraryDecoder.gif), Contract("WebP", LibraryDecoder.webP),
        Contract("AVIF", LibraryDecoder.avif), Contract("HEIC", LibraryDecoder.heic),
        Contract("JPEGXL", LibraryDecoder.jpegXL), Contract("TIFF", LibraryDecoder.tiff),
        Contract("SVG", LibraryDecoder.svg), Contract("APNG", PNGDecoder()),
        Contract("PNM", PNMDecoder()), Contract("TGA", TGADecoder()),
        Contract("PSD", PSDDecoder()), Contract("RAW", CameraRAWDecoder()),
    ]

    private static let budget = 1 << 16
    private static let target = PixelSize(width: 12, height: 9)

    private init(_ name: String, _ decoder: some ImageDecoder) {
        self.init(name) { (bytes) throws(BrokenContract) in
            // Others are other decoders' work.
            guard decoder.canDecode(Array(bytes.prefix(1_024))) else { return }
            let limits = Contract.limits(pixelCount: 1 << 16)
            var options = DecodingOptions(limits: limits)
            try Contract.check(decoder, bytes, options)
            options.acceptsDamage = true
            try Contract.check(decoder, bytes, options)
            options.targetSize = Contract.target
            options.acceptsThumbnail = true
            try Contract.check(decoder, bytes, options)
            options.animation = AnimationRequest(firstFrame: 1, maximumByteCount: Contract.budget)
            try Contract.check(decoder, bytes, options)
        }
    }

    private static func check(
        _ decoder: some ImageDecoder,
        _ bytes: [UInt8],
        _ options: DecodingOptions
    ) throws(BrokenContract) {
        let image: DecodedImage
        do throws(ImageDecodingError) {
            image = try decoder.decode(bytes, options: options)
        } catch {
            return
        }
        let size = image.pixels.size
        try require(!size.isEmpty, "an image without pixels")
        let box = options.targetSize ?? image.properties.size
        try require(
            size.width <= box.width && size.height <= box.height,
            "\(size) where \(box) is wanted"
        )
        try require(image.properties.frameCount > 0, "no frame")
        guard let frames = image.animation?.frames else { return }
        try require(options.animation != nil, "unrequested frames")
        try require(frames.allSatisfy { $0.pixels.size == size }, "frames of several sizes")
        try require(frames.allSatisfy { $0.duration > .zero }, "a frame for no time")
        try require(
            frames.count == 1 || frames.count * image.pixels.bytes.count <= budget,
            "\(frames.count) frames of \(size)"
        )
    }
}
