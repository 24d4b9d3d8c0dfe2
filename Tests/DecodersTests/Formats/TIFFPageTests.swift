import PropertyRuns
import Testing

@testable import Decoders

/// The page of a TIFF-based file that is its image.
@Suite struct TIFFPageTests {
    private let registry = DecoderRegistry.standard
    private static let reduced = 1

    private static func stamp(others: [Int: Int] = [:]) -> TIFFFile.Directory {
        TIFFFile.page(width: 16, height: 12, level: 99, kind: reduced, others: others)
    }

    private func size(_ directories: [TIFFFile.Directory]) throws -> PixelSize {
        let file = TIFFFile(directories: directories).bytes()
        let image = try registry.decode(file, options: DecodingOptions())
        #expect(try registry.probe(file) == image.properties)
        #expect(image.properties.format == .tiff && image.pixels.size == image.properties.size)
        return image.pixels.size
    }

    @Test(arguments: [true, false])
    func `the JPEG after a thumbnail is the image`(isInterchangeFormat: Bool) throws {
        var stamp = Self.stamp()
        stamp.next = 1
        let jpeg = try Fixtures.bytes(of: "420.jpg")
        let preview = TIFFFile.Directory(
            entries: [254: 0, 256: 48, 257: 32, 259: 6, 262: 6],
            data: jpeg,
            isInterchangeFormat: isInterchangeFormat
        )
        let file = TIFFFile(directories: [stamp, preview]).bytes()

        let image = try registry.decode(file, options: DecodingOptions())

        let expected = try JPEGDecoder().decode(jpeg, options: DecodingOptions())
        #expect(image.pixels == expected.pixels)
        #expect(image.properties.format == .tiff && !image.isThumbnail)
        #expect(try registry.probe(file) == image.properties)
    }

    @Test func `the JPEG inherits the orientation of the first directory`() throws {
        var stamp = Self.stamp(others: [274: 6])
        stamp.children = [1]
        let jpeg = try Fixtures.bytes(of: "420.jpg")
        let preview = TIFFFile.Directory(
            entries: [254: Self.reduced, 256: 48, 257: 32, 259: 7, 262: 6],
            data: jpeg
        )
        let file = TIFFFile(directories: [stamp, preview]).bytes()
        let target = PixelSize(width: 16, height: 24)

        let image = try registry.decode(file, options: DecodingOptions(targetSize: target))

        let stored = try JPEGDecoder().decode(
            jpeg,
            options: DecodingOptions(targetSize: PixelSize(width: 24, height: 16))
        )
        #expect(image.properties.size == PixelSize(width: 32, height: 48))
        #expect(image.pixels == Orientation.rotatedRight.apply(to: stored.pixels))
        #expect(try registry.probe(file) == image.properties)
    }

    @Test func `the largest nested page is the image, masks excluded`() throws {
        var stamp = Self.stamp()
        stamp.children = [1, 2, 3]
        let pages = [
            TIFFFile.page(width: 40, height: 30, level: 200, kind: Self.reduced),
            TIFFFile.page(width: 80, height: 60, level: 200),
            TIFFFile.page(width: 90, height: 60, level: 0, kind: 4),
        ]

        #expect(try size([stamp] + pages) == PixelSize(width: 80, height: 60))
    }

    @Test func `the first of several full pages is the image`() throws {
        var first = TIFFFile.page(width: 16, height: 12, level: 9)
        first.next = 1
        let second = TIFFFile.page(width: 80, height: 60, level: 200)

        #expect(try size([first, second]) == PixelSize(width: 16, height: 12))
    }

    @Test func `a thumbnail of sensor data that cannot be decoded is marked as one`() throws {
        var stamp = Self.stamp()
        stamp.children = [1]
        // Photometric interpretation 32803: a color filter array.
        let sensor = TIFFFile.page(width: 80, height: 60, level: 0, others: [262: 32_803])
        let file = TIFFFile(directories: [stamp, sensor]).bytes()

        let image = try registry.decode(file, options: DecodingOptions())

        #expect(image.pixels.size == PixelSize(width: 16, height: 12) && image.isThumbnail)
        #expect(image.pixels.bytes.first == 99)
        let alone = try registry.decode(
            TIFFFile(directories: [Self.stamp()]).bytes(),
            options: DecodingOptions()
        )
        #expect(!alone.isThumbnail)
    }

    @Test func `directories that refer to each other end the search`() throws {
        var stamp = Self.stamp()
        (stamp.next, stamp.children) = (1, [0, 1])
        var page = TIFFFile.page(width: 40, height: 30, level: 200)
        (page.next, page.children) = (0, [1, 0])

        #expect(try size([stamp, page]) == PixelSize(width: 40, height: 30))
    }

    @Test(arguments: [0, 1 << 31 - 1, 1 << 31, 1 << 32 - 1])
    func `extreme numbers in any entry give an image or an error`(value: Int) throws {
        var stamp = Self.stamp()
        (stamp.next, stamp.children) = (1, [1, 2])
        let preview = TIFFFile.Directory(
            entries: [254: 0, 256: 48, 257: 32, 259: 6, 262: 6],
            data: try Fixtures.bytes(of: "420.jpg"),
            isInterchangeFormat: true
        )
        let page = TIFFFile.page(width: 40, height: 30, level: 1, others: [274: 3, 338: 0, 339: 1])
        let file = TIFFFile(directories: [stamp, preview, page]).bytes()
        let end = file.count - 1_600 - preview.data.count
        for place in stride(from: 4, to: end, by: PropertyRuns.isSanitized ? 5 : 1) {
            for byteCount in [2, 4] {
                var changed = file
                for index in 0..<byteCount {
                    changed[place + index] = UInt8(truncatingIfNeeded: value >> (8 * index))
                }
                for target in [nil, PixelSize(width: 9, height: 9)] {
                    let options = DecodingOptions(
                        targetSize: target,
                        limits: DecodingLimits(maximumByteCount: 16 << 20)
                    )
                    _ = try? registry.decode(changed, options: options)
                }
            }
        }
    }

    @Test func `a thumbnail that declares the largest size is refused`() {
        var stamp = Self.stamp(others: [256: 1 << 32 - 1, 257: 1 << 32 - 1])
        stamp.next = 1
        let page = TIFFFile.page(width: 40, height: 30, level: 1)
        let file = TIFFFile(directories: [stamp, page]).bytes()

        #expect(throws: ImageDecodingError.self) {
            try registry.decode(file, options: DecodingOptions())
        }
    }

    @Test func `an unknown compression is the reason, not a black image`() {
        let page = TIFFFile.page(width: 16, height: 12, level: 9, others: [259: 1_234])

        #expect(throws: ImageDecodingError.unsupportedFeature(.tiff, "compression 1234")) {
            try registry.decode(
                TIFFFile(directories: [page]).bytes(),
                options: DecodingOptions(acceptsDamage: true)
            )
        }
    }

    @Test(arguments: [(6, 32, "32-bit complex numbers"), (1, 17, "17-bit samples")])
    func `samples that cannot be displayed are named`(kind: Int, bits: Int, reason: String) {
        let page = TIFFFile.page(width: 4, height: 3, level: 9, others: [258: bits, 339: kind])

        #expect(throws: ImageDecodingError.unsupportedFeature(.tiff, reason)) {
            try registry.decode(TIFFFile(directories: [page]).bytes(), options: DecodingOptions())
        }
    }

    /// 2 by 2 pixels of cyan, magenta, yellow and black, with values that 8 bits also have.
    private static func inks(byteCount: Int, others: [Int: Int] = [:]) -> [UInt8] {
        let levels: [UInt8] = [0, 255, 128, 0, 255, 0, 0, 64, 9, 80, 200, 33, 0, 0, 0, 255]
        let entries = [
            256: 2, 257: 2, 258: byteCount * 8, 259: 1, 262: 5, 277: 4, 278: 2,
        ]
        let data = levels.flatMap { [UInt8](repeating: $0, count: byteCount) }
        let directory = TIFFFile.Directory(
            entries: entries.merging(others) { $1 },
            data: data
        )
        return TIFFFile(directories: [directory]).bytes()
    }

    @Test func `inks of 16 bits are shown like inks of 8 bits`() throws {
        let options = DecodingOptions()
        let wide = try registry.decode(Self.inks(byteCount: 2), options: options).pixels
        let narrow = try registry.decode(Self.inks(byteCount: 1), options: options).pixels

        #expect(wide.visibleDifference(from: narrow) <= 1)
        #expect(wide[0, 0] == Pixel(255, 0, 127))
    }

    @Test func `other inks than CMYK and unknown colors are named`() {
        for (others, reason) in [
            ([332: 2], "TIFF: 16-bit samples of these colors not supported"),
            ([262: 99, 258: 8], "TIFF: PhotometricInterpretation=99 not supported"),
        ] {
            let error = #expect(throws: ImageDecodingError.self) {
                try registry.decode(
                    Self.inks(byteCount: 2, others: others),
                    options: DecodingOptions()
                )
            }

            #expect(error?.description == reason)
        }
    }

    @Test func `floating-point samples outside of 0 to 1 and NaN are clipped`() throws {
        let values: [Float] = [-5, 0, 0.5, 1, 7, .infinity, -.infinity, .nan]
        var page = TIFFFile.page(width: 8, height: 1, level: 0, others: [258: 32, 339: 3])
        page.data = values.flatMap { value in
            (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
        }

        let image = try registry.decode(
            TIFFFile(directories: [page]).bytes(),
            options: DecodingOptions()
        )

        let levels = stride(from: 0, to: 32, by: 4).map { image.pixels.bytes[$0] }
        #expect(levels == [0, 0, 128, 255, 255, 255, 0, 0])
    }
}
