import Decoders
import Testing

@Suite struct RegistryTests {
    @Test(arguments: [
        ("", "empty file"), (" \n", "blank text"), ("<!DOCTYPE html><p>", "HTML page"),
        ("\n <HTML>404</HTML>", "HTML page"), ("<head>", "HTML page"),
        ("<rss/>", "XML"), ("{\"error\": 1}", "JSON"), ("Not Found", "text"),
        ("\0\0\0\u{0C}jP  ", "JPEG 2000"), ("%PDF-1.7\n", "PDF"),
        ("\u{1}\u{2}\u{3}", "unknown data"),
    ])
    func `a file that is not an image is named`(text: String, kind: String) {
        #expect(throws: ImageDecodingError.unsupportedFormat(kind)) {
            try DecoderRegistry.standard.probe(Array(text.utf8))
        }
    }

    @Test(arguments: [
        ("/* XPM */\nstatic char *a[]={\"1 1 1 1\",\"a c red\",\"a\"};", "XPM images"),
        ("#define a_width 8\n#define a_height 1\nstatic char a_bits[] = {1};", "XBM images"),
        ("\n\u{5}\u{1}\u{8}\0", "PCX images"),
        ("DDS |\0\0\0", "DDS images"), ("v/1\u{1}\u{2}", "EXR images"),
        ("#?RADIANCE\n", "HDR images"), ("SDPX\0\0\u{20}\0", "DPX images"),
        ("SIMPLE  =                    T", "FITS images"), ("icns\0\0\u{1}\0", "ICNS images"),
        ("id=ImageMagick version=1.0\n", "MIFF images"), ("gimp xcf v011\0", "XCF images"),
        ("farbfeld\0\0\0\u{1}", "farbfeld images"), ("%!PS-Adobe-3.0 EPSF", "EPS documents"),
        ("%PDF-1.7\n", "PDF documents"), ("\0\0\0\u{0C}jP  \r\n", "JPEG 2000 images"),
        ("\0\0\0\u{18}ftypmp42", "MP4 videos"), ("RIFF\0\0\0\0AVI LIST", "AVI videos"),
        ("OggS\0", "Ogg videos"),
    ])
    func `a format without a decoder is named and is no feed`(text: String, name: String) {
        let bytes = Array(text.utf8)

        let error = #expect(throws: ImageDecodingError.self) {
            try DecoderRegistry.standard.probe(bytes)
        }

        #expect(error?.description == "\(name) are not supported")
        #expect(DecoderRegistry.pictureFormat(of: bytes) != nil)
    }

    @Test(arguments: [
        [0x01, 0xDA, 0x01, 0x01], [0xFF, 0x4F, 0xFF, 0x51, 0, 0x2F], [0x1A, 0x45, 0xDF, 0xA3],
        [0x59, 0xA6, 0x6A, 0x95],
    ])
    func `a binary signature without a decoder is no feed`(bytes: [UInt8]) {
        #expect(DecoderRegistry.pictureFormat(of: bytes) != nil)
        #expect(DecoderRegistry.standard.format(of: bytes) == nil)
    }

    @Test(arguments: [
        "BMW.jpg\nAudi.jpg\n", "P6\nP7.jpg\n", "P1 a.jpg\n", "P7\nWIDTH.jpg\n", "#define\n",
        "icns.jpg", "DDS one.jpg", "8BPS.png", "id.jpg", "PF photos.jpg\n",
    ])
    func `a list of names that start like a signature is text`(text: String) {
        #expect(DecoderRegistry.pictureFormat(of: Array(text.utf8)) == nil)
    }

    @Test(
        arguments: [
            ([0x42, 0x4D] + [UInt8](repeating: 0, count: 60), "corrupt BMP: invalid header"),
            ([0, 0, 1, 0, 0, 0], "corrupt icon: no images"),
            ([0, 0, 1, 0, 1, 0], "truncated icon"),
            (
                [0x89, 0x50, 0x4E, 0x47, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49],
                "corrupt PNG: PNG file corrupted by ASCII conversion"
            ),
            ([0xFF, 0xD8, 0xFF, 0xF7, 0, 11], "JPEG-LS images are not supported"),
            ([0x47, 0x49, 0x46, 0x38], "truncated GIF"),
            (Array("8BPS\0\u{1}\0\0".utf8), "truncated PSD"),
            (Array("IIRO".utf8) + [8, 0, 0, 0], "truncated RAW"),
            (Array("MMOR".utf8) + [0, 0, 0, 8], "truncated RAW"),
            (Array("IIU\0".utf8) + [8, 0, 0, 0], "truncated RAW"),
            (Array("FUJIFILMCCD-RAW ".utf8) + [0], "truncated RAW"),
            ([0, 0, 0, 24] + Array("ftypcrx ".utf8), "truncated RAW"),
        ] as [([UInt8], String)]
    )
    func `a broken header is reported with its format`(bytes: [UInt8], reason: String) {
        let error = #expect(throws: ImageDecodingError.self) {
            try DecoderRegistry.standard.probe(bytes)
        }

        #expect(error?.description == reason)
    }

    @Test(arguments: [
        ("<?xml version='1.0'?><svg xmlns=''/>", "SVG"), ("<svg/>", "SVG"),
        ("GIF89a\u{1}", "GIF"), ("RIFF\u{1}\u{1}\u{1}\u{1}WEBPVP8 ", "WebP"),
        ("\0\0\0\u{1C}ftypavif", "AVIF"), ("\0\0\0\u{18}ftypheic", "HEIC"),
    ])
    func `an image without a decoder in this build is named`(text: String, kind: String) {
        let registry = DecoderRegistry(decoders: [PNGDecoder(), JPEGDecoder()])

        #expect(throws: ImageDecodingError.unsupportedFormat(kind)) {
            try registry.probe(Array(text.utf8))
        }
    }

    @Test func `the first bytes select the format`() throws {
        let (picture, registry) = (quarterPicture(), DecoderRegistry.standard)

        #expect(registry.format(of: try PNGEncoder.encode(picture)) == .png)
        #expect(registry.format(of: try JPEGEncoder.encode(picture, quality: 80)) == .jpeg)
        #expect(registry.format(of: []) == nil)
    }

    @Test func `the last registered decoder is asked first`() throws {
        /// A decoder that accepts everything as an image of one pixel.
        struct OnePixel: ImageDecoder {
            var format: ImageFormat { .png }
            func canDecode(_ prefix: [UInt8]) -> Bool { true }
            func probe(_ bytes: [UInt8]) -> ImageProperties {
                ImageProperties(
                    format: .png,
                    size: PixelSize(width: 1, height: 1),
                    orientation: 1,
                    hasAlpha: false,
                    isProgressive: false
                )
            }
            func decode(
                _ bytes: [UInt8],
                options: DecodingOptions
            ) throws(ImageDecodingError) -> DecodedImage { throw .empty }
        }
        let file = try JPEGEncoder.encode(quarterPicture(), quality: 80)
        var registry = DecoderRegistry.standard

        registry.register(OnePixel())

        #expect(try registry.probe(file).size == PixelSize(width: 1, height: 1))
        #expect(try DecoderRegistry.standard.probe(file).format == .jpeg)
        #expect(registry.formats == DecoderRegistry.standard.formats)
    }

    @Test(arguments: [
        ("a.jpg", ImageFormat.jpeg), ("A.JPEG", .jpeg), ("folder.d/b.Png", .png), ("b.png.gz", nil),
        ("jpg", nil), ("", nil), ("c.gray", nil),
    ])
    func `file suffixes belong to decoded formats`(
        name: String,
        format: ImageFormat?
    ) {
        #expect(DecoderRegistry.standard.format(ofFileNamed: name) == format)
    }

    @Test func `formats with the same raw value are equal`() {
        #expect(ImageFormat.jpeg == .jpeg && ImageFormat.jpeg != .png)
        #expect(Set([Grays.anotherFormat, Grays.ownFormat, .png, .png]).count == 2)
        #expect("\(ImageFormat.jpeg), \(ImageFormat.png)" == "JPEG, PNG")
        #expect(
            ImageFormat.jpeg.mediaTypes == ["image/jpeg"] && ImageFormat.jpeg.rawValue == "jpeg"
        )
    }

    @Test func `an app's decoder adds its format without other changes`() throws {
        let file = Array("GREY".utf8) + [2, 0, 255, 90, 200]
        var registry = DecoderRegistry.standard

        registry.register(Grays())
        let image = try registry.decode(file, options: DecodingOptions())
        let animation = try #require(image.animation)

        #expect(registry.formats == DecoderRegistry.standard.formats + [Grays.ownFormat])
        #expect(registry.format(of: file) == Grays.ownFormat)
        #expect(registry.format(ofFileNamed: "picture.GRAY")?.mediaTypes == ["image/x-grays"])
        #expect(try registry.probe(file).format.displayName == "Grays")
        #expect(animation.frames.map(\.pixels.bytes[0]) == [0, 90])
        #expect(animation.duration == .milliseconds(200) && animation.loopCount == nil)
        #expect(throws: ImageDecodingError.truncated(Grays.ownFormat)) {
            try registry.decode(Array(file.dropLast()), options: DecodingOptions())
        }
        #expect(throws: ImageDecodingError.unsupportedFormat("text")) {
            try DecoderRegistry.standard.decode(Array("GREY".utf8), options: DecodingOptions())
        }
        #expect("\(ImageDecodingError.truncated(Grays.ownFormat))" == "truncated Grays")
    }

    @Test func `a file in an app's own format is decoded as it arrives`() throws {
        var registry = DecoderRegistry.standard
        registry.register(Grays())
        var decoder = IncrementalDecoder(
            options: DecodingOptions(),
            registry: registry,
            expected: 7
        )

        #expect(decoder.append(Array("GREY".utf8)) == nil)
        let image = decoder.append([1, 7, 8])

        #expect(try image == decoder.finish())
        #expect(image?.pixels.bytes == [7, 7, 7, 255, 8, 8, 8, 255])
    }

    @Test func `still images of the built-in decoders are not animations`() throws {
        for file in [try PNGEncoder.encode(quarterPicture()), try Fixtures.bytes(of: "444.jpg")] {
            let image = try DecoderRegistry.standard.decode(file, options: DecodingOptions())
            #expect(image.animation == nil && image.properties.frameCount == 1)
        }
    }
}

/// An invented format: "GREY", the number of frames, and two pixels for each.
private struct Grays: ImageDecoder {
    static let ownFormat = ImageFormat(
        rawValue: "grays",
        displayName: "Grays",
        fileSuffixes: ["grays", "gray"],
        mediaTypes: ["image/x-grays"]
    )
    static let anotherFormat = ImageFormat(
        rawValue: "grays",
        displayName: "",
        fileSuffixes: [],
        mediaTypes: []
    )

    var format: ImageFormat { Self.ownFormat }

    func canDecode(_ prefix: [UInt8]) -> Bool { prefix.starts(with: "GREY".utf8) }

    func probe(_ bytes: [UInt8]) throws(ImageDecodingError) -> ImageProperties {
        guard bytes.count > 4 else { throw .truncated(format) }
        return ImageProperties(
            format: format,
            size: PixelSize(width: 2, height: 1),
            orientation: 1,
            hasAlpha: false,
            isProgressive: false,
            frameCount: Int(bytes[4])
        )
    }

    func decode(
        _ bytes: [UInt8],
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage {
        let properties = try probe(bytes)
        guard bytes.count == 5 + 2 * properties.frameCount else { throw .truncated(format) }
        let frames = stride(from: 5, to: bytes.count, by: 2).map { start in
            let pixels = PixelBuffer(
                size: properties.size,
                bytes: bytes[start..<start + 2].flatMap { [$0, $0, $0, 255] },
                hasAlpha: false
            )
            return ImageAnimation.Frame(pixels: pixels, duration: .milliseconds(100))
        }
        return DecodedImage(
            pixels: frames[0].pixels,
            properties: properties,
            animation: ImageAnimation(frames: frames, loopCount: nil)
        )
    }
}
