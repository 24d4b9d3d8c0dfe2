import PropertyRuns
import Testing

@testable import Decoders

/// A thumbnail from a camera, used instead of the image.
@Suite struct StandInTests {
    /// Returns an image of four quarters with some texture.
    ///
    /// It is 7 levels darker than its thumbnail, so that a test can tell which of them is shown.
    private static func picture(_ width: Int = 640, _ height: Int = 480) throws -> [UInt8] {
        let quarters = quarterPicture(width: width, height: height)
        let pixels = PixelBuffer(width: width, height: height) { x, y in
            let (color, grain) = (quarters[x, y], (x &* 7 ^ y &* 13) % 16 - 8 - 7)
            return Pixel(
                UInt8(clamping: Int(color.red) + grain),
                UInt8(clamping: Int(color.green) + grain),
                UInt8(clamping: Int(color.blue) + grain)
            )
        }
        return try JPEGEncoder.encode(pixels, quality: 95)
    }

    private static func block() throws -> CameraBlock {
        CameraBlock(
            thumbnail: try JPEGEncoder.encode(
                quarterPicture(width: 160, height: 120),
                quality: 95,
                progressive: false
            )
        )
    }

    private static func file(
        _ width: Int = 640,
        _ height: Int = 480,
        change: (inout CameraBlock) throws -> Void = { _ in }
    ) throws -> [UInt8] {
        var block = try block()
        try change(&block)
        return EXIF.insert(block.encoded(), into: try picture(width, height))
    }

    private static func decoded(
        _ file: [UInt8],
        _ width: Int = 80,
        _ height: Int = 60
    ) throws -> DecodedImage {
        var options = DecodingOptions(targetSize: PixelSize(width: width, height: height))
        options.acceptsThumbnail = true
        return try DecoderRegistry.standard.decode(file, options: options)
    }

    private func hasColors(_ image: DecodedImage, _ order: [Int] = [0, 1, 2, 3]) -> Bool {
        zip(image.pixels.quarters, order).allSatisfy {
            $0.isClose(to: quarterColors[$1], tolerance: 4)
        }
    }

    @Test func `a thumbnail with the requested pixels is used as the image`() throws {
        let image = try Self.decoded(Self.file())

        #expect(image.isThumbnail && image.isFinal)
        #expect(image.pixels.size == PixelSize(width: 80, height: 60))
        #expect(image.properties.size == PixelSize(width: 640, height: 480))
        #expect(hasColors(image))
    }

    @Test func `without acceptsThumbnail the image itself is decoded`() throws {
        var options = DecodingOptions(targetSize: PixelSize(width: 80, height: 60))
        let file = try Self.file()
        #expect(try !DecoderRegistry.standard.decode(file, options: options).isThumbnail)
        (options.targetSize, options.acceptsThumbnail) = (nil, true)
        #expect(try !DecoderRegistry.standard.decode(file, options: options).isThumbnail)
    }

    @Test(arguments: [(160, 120, true), (161, 121, false), (320, 240, false), (20, 15, true)])
    func `a thumbnail is not enlarged`(width: Int, height: Int, isThumbnail: Bool) throws {
        let image = try Self.decoded(Self.file(), width, height)

        #expect(image.isThumbnail == isThumbnail)
        #expect(hasColors(image) == isThumbnail)
    }

    @Test func `the thumbnail of a JPEG in an icon is reported as a thumbnail`() throws {
        let jpeg = try Self.file()
        let start: [UInt8] = [0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 24, 0]
        let icon = start + TIFFFile.number(jpeg.count) + TIFFFile.number(22) + jpeg

        let image = try Self.decoded(icon)

        #expect(image.isThumbnail && image.properties.format == .ico)
        #expect(try image.pixels == Self.decoded(jpeg).pixels)
    }

    @Test func `the thumbnail is final as soon as it and some rows of the image were received`()
        throws
    {
        let file = try Self.file()
        let scan = try #require(Fixtures.offsets(of: 0xDA, in: file).last)
        var options = DecodingOptions(targetSize: PixelSize(width: 80, height: 60))
        (options.acceptsThumbnail, options.acceptsTruncation) = (true, true)
        var decoder = IncrementalDecoder(options: options, expected: file.count)

        let early = decoder.append(Array(file[..<(scan + 20)]))
        let image = decoder.append(Array(file[(scan + 20)..<(scan + 20_000)]))

        #expect(early?.isThumbnail != true)
        #expect(image?.isFinal == true && image?.isThumbnail == true)
        #expect(try image == Self.decoded(file))
    }

    @Test func `the image's orientation is applied to the thumbnail`() throws {
        let file = try Self.file { $0.orientation = 6 }

        let image = try Self.decoded(file, 60, 80)

        #expect(image.isThumbnail)
        #expect(image.pixels.size == PixelSize(width: 60, height: 80))
        #expect(hasColors(image, [2, 0, 3, 1]))
    }

    // MARK: - Thumbnails of other images

    private static let changes: [(String, Bool, @Sendable (inout CameraBlock) -> Void)] = [
        ("its size", true, { $0.size = PixelSize(width: 640, height: 480) }),
        ("another size", false, { $0.size = PixelSize(width: 800, height: 600) }),
        ("one orientation", true, { $0.thumbnailOrientation = 1 }),
        ("another orientation", false, { $0.thumbnailOrientation = 6 }),
        (
            "unchanged", true,
            {
                $0.taken = "2026:11:23 10:00:00"
                $0.changed = "2026:11:23 10:00:00"
            }
        ),
        (
            "changed later", false,
            {
                $0.taken = "2026:11:23 10:00:00"
                $0.changed = "2026:11:23 10:00:01"
            }
        ),
        (
            "changed later, with its thumbnail", true,
            {
                $0.taken = "2026:11:23 10:00:00"
                $0.changed = "2026:11:24 09:00:00"
                $0.thumbnailMade = "2026:11:24 09:00:00"
            }
        ),
        ("of no known time", true, { $0.changed = "2026:11:23 10:00:01" }),
    ]

    @Test(arguments: changes.indices)
    func `a thumbnail that belongs to another image according to the file is not used`(
        index: Int
    ) throws {
        let (name, isThumbnail, change) = Self.changes[index]

        let image = try Self.decoded(Self.file { change(&$0) })

        #expect(image.isThumbnail == isThumbnail, "\(name)")
        #expect(hasColors(image) == isThumbnail, "\(name)")
    }

    @Test func `a gray thumbnail does not replace a color image`() throws {
        let gray = try Fixtures.bytes(of: "gray.jpg")
        let target = try #require(try? DecoderRegistry.standard.probe(gray).size)
        var block = try Self.block()
        block.thumbnail = gray
        let (width, height) = (target.width * 12, target.height * 12)
        let colored = EXIF.insert(block.encoded(), into: try Self.picture(width, height))

        let image = try Self.decoded(colored, target.width / 2, target.height / 2)

        #expect(!image.isThumbnail)
    }

    @Test func `the thumbnail's own profile applies instead of the image's`() throws {
        let profile = ICCFile.adobeRGB.encoded()
        let colors = try #require(ColorProfile(profile))
        let conversion = try #require(ColorConversion(from: colors))
        var pixels = quarterPicture(width: 640, height: 480).bytes
        pixels.withUnsafeMutableBufferPointer { conversion.convert($0) }
        let size = PixelSize(width: 640, height: 480)
        let image = try JPEGEncoder.encode(
            PixelBuffer(size: size, bytes: pixels, hasAlpha: false),
            quality: 95
        )
        var block = try Self.block()
        let untagged = EXIF.insert(block.encoded(), into: image)
        block.thumbnail = ICCParts.insert(profile, into: block.thumbnail)
        let tagged = EXIF.insert(block.encoded(), into: image)

        #expect(try Self.decoded(tagged).isThumbnail)
        #expect(try !Self.decoded(untagged).isThumbnail)
        #expect(
            try Self.decoded(tagged).pixels.signalToNoise(against: Self.decoded(untagged).pixels)
                > 30
        )
    }

    @Test(arguments: PropertyRuns.isSanitized ? [16] : [3, 4, 16])
    func `damaged dates and sizes lose only the thumbnail`(step: Int) throws {
        var block = try Self.block()
        block.taken = "2026:11:23 10:00:00"
        block.changed = "2026:11:23 10:00:00"
        block.size = PixelSize(width: 640, height: 480)
        let bytes = block.encoded()
        let end = bytes.count - block.thumbnail.count
        let picture = try Self.picture(160, 120)

        for index in stride(from: 0, to: end, by: step) {
            for value: UInt8 in [0, 0x7F, 0xFF] {
                var damaged = bytes
                damaged[index] = value
                let file = EXIF.insert(damaged, into: picture)
                #expect(throws: Never.self) { try Self.decoded(file, 20, 15) }
            }
        }
    }

    // MARK: - Bars

    /// A thumbnail of 160 by 120 that shows a wider picture between black bars.
    private static func barred(_ height: Int, bar: UInt8 = 0) throws -> [UInt8] {
        let inner = quarterPicture(width: 160, height: height)
        let top = (120 - height) / 2
        return try JPEGEncoder.encode(
            PixelBuffer(width: 160, height: 120) { x, y in
                (top..<top + height).contains(y) ? inner[x, y - top] : Pixel(bar, bar, bar)
            },
            quality: 95,
            progressive: false
        )
    }

    @Test func `black bars around the thumbnail are cut off`() throws {
        let thumbnail = try Self.barred(90)

        let image = try Self.decoded(Self.file(640, 360) { $0.thumbnail = thumbnail }, 80, 45)

        #expect(image.isThumbnail)
        #expect(image.pixels.size == PixelSize(width: 80, height: 45))
        #expect(hasColors(image))
        let rows = [0, 44].flatMap { row in (0..<80).map { image.pixels[$0, row] } }
        #expect(rows.allSatisfy { Int($0.red) + Int($0.green) + Int($0.blue) > 100 })
    }

    @Test func `a thumbnail with other content than bars is not used`() throws {
        for thumbnail in [try Self.barred(90, bar: 90), try Self.barred(106)] {
            let image = try Self.decoded(Self.file(640, 360) { $0.thumbnail = thumbnail }, 80, 45)

            #expect(!image.isThumbnail)
        }
    }
}
