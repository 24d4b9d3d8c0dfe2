import Testing

@testable import Decoders

/// All formats except JPEG and PNG, compared with the results of other programs.
@Suite struct FormatTests {
    private let registry = DecoderRegistry.standard

    @Test(arguments: FormatFile.stills)
    func `an image equals the result of other programs`(file: FormatFile) throws {
        let (bytes, reference) = try (file.bytes, file.reference)

        let image = try registry.decode(bytes, options: DecodingOptions())

        #expect(image.properties.format == file.format && image.isFinal)
        #expect(try registry.probe(bytes) == image.properties)
        #expect(image.properties.size == reference.size && image.properties.frameCount == 1)
        #expect(image.pixels.visibleDifference(from: reference) <= file.tolerance)
    }

    /// If a library creates small images itself, it averages encoded values.
    @Test(arguments: FormatFile.stills)
    func `a thumbnail is the image at a smaller size`(file: FormatFile) throws {
        let reference = try file.reference
        let target = PixelSize(width: 12, height: 9)

        let image = try registry.decode(
            file.bytes,
            options: DecodingOptions(targetSize: target)
        )

        let expected = reference.resampled(to: image.pixels.size)
        #expect(image.pixels.size == reference.size.scaled(into: target, mode: .fit))
        // A drawing has no pixels to average.
        let leastLikeness = file.format == .svg ? 20.0 : 28
        #expect(image.pixels.signalToNoise(against: expected) > leastLikeness)
    }

    @Test func `the thumbnail of a HEIC is used if it has enough pixels`() throws {
        let file = try Fixtures.bytes(of: "Camera/thumbnail-right.heic")
        var options = DecodingOptions(targetSize: PixelSize(width: 160, height: 160))
        options.acceptsThumbnail = true

        #expect(try registry.decode(file, options: options).isThumbnail)
        options.targetSize = PixelSize(width: 161, height: 161)
        #expect(try !registry.decode(file, options: options).isThumbnail)
        options.targetSize = nil
        #expect(try !registry.decode(file, options: options).isThumbnail)
    }

    @Test func `the thumbnail of a HEIC without tiles is not used, because nothing proves it`()
        throws
    {
        let file = try FormatFile(name: "thumbnail.heic", format: .heic).bytes
        var options = DecodingOptions(targetSize: PixelSize(width: 24, height: 24))
        options.acceptsThumbnail = true

        #expect(try !registry.decode(file, options: options).isThumbnail)
    }

    @Test(arguments: [
        ("a.webp", ImageFormat.webP), ("a.GIF", .gif), ("a.avif", .avif), ("a.heic", .heic),
        ("a.heif", .heic), ("a.jxl", .jpegXL), ("a.tif", .tiff), ("a.svg", .svg),
        ("a.svgz", .svg), ("a.dib", .bmp),
        ("a.cur", .ico), ("a.qoi", .qoi), ("a.apng", .png), ("a.ppm", .pnm), ("a.pam", .pnm),
        ("a.TGA", .tga), ("a.psd", .psd), ("a.psb", .psd), ("a.CR3", .cameraRAW),
        ("a.raf", .cameraRAW), ("a.orf", .cameraRAW), ("a.rw2", .cameraRAW),
    ])
    func `file names give the format`(name: String, format: ImageFormat) {
        #expect(registry.format(ofFileNamed: name) == format)
    }

    @Test func `a missing library is reported with the package that contains it`() {
        let error = ImageDecodingError.libraryMissing(.heic, package: "libheif1")

        #expect("\(error)" == "HEIC: install libheif1 and restart")
        #expect(!error.isDamage && !error.isLimit)
    }

    /// The reference could name any file of the machine.
    @Test func `a drawing cannot read other files`() throws {
        let picture =
            #filePath.split(separator: "/", omittingEmptySubsequences: false)
            .dropLast(2).joined(separator: "/") + "/Fixtures/Formats/rgb.bmp.png"
        let drawings = [
            "<image href='file://\(picture)' width='48' height='36'/>",
            "<image href='\(picture)' width='48' height='36'/>",
            "<use href='file://\(picture)#a'/>",
            "<style>@import url('file://\(picture)');</style>",
        ]
        for inside in drawings {
            let text =
                "<svg xmlns='http://www.w3.org/2000/svg' width='48' height='36'>\(inside)</svg>"
            let image = try registry.decode(Array(text.utf8), options: DecodingOptions())

            #expect(image.pixels.bytes.allSatisfy { $0 == 0 }, "\(inside)")
        }
    }
}
