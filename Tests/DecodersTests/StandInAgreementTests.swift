import Foundation
import Testing

@testable import Decoders

/// Thumbnails that do not show the image, made in the ways in which programs make them.
@Suite struct StandInAgreementTests {
    /// A scene without symmetry; `u` and `v` are from 0 to 1.
    private static func scene(_ u: Double, _ v: Double) -> [Double] {
        [
            128 + 100 * sin(7 * u + 3 * v), 128 + 90 * sin(5 * v - 4 * u + 1),
            128 + 80 * cos(9 * u * v + 2),
        ]
    }

    private static func pixel(_ color: [Double]) -> Pixel {
        Pixel(
            UInt8(max(0, min(255, color[0]))),
            UInt8(max(0, min(255, color[1]))),
            UInt8(max(0, min(255, color[2])))
        )
    }

    /// Returns the scene with some grain.
    private static func picture(
        _ width: Int = 640,
        _ height: Int = 480,
        progressive: Bool = false
    ) throws -> [UInt8] {
        let pixels = PixelBuffer(width: width, height: height) { x, y in
            let (u, v) = ((Double(x) + 0.5) / Double(width), (Double(y) + 0.5) / Double(height))
            let grain = Double((x &* 31 ^ y &* 17) % 16) - 7.5
            return pixel(scene(u, v).map { $0 + grain })
        }
        return try JPEGEncoder.encode(pixels, quality: 90, progressive: progressive)
    }

    // Drawn once: without optimization, drawing takes longer than all that is tested here.
    private static let baseline = Result { try picture() }
    private static let progressive = Result { try picture(progressive: true) }
    private static let large = Result { try picture(2_400, 1_800) }

    private static func thumbnail(
        _ width: Int = 160,
        _ height: Int = 120,
        quality: Int = 80,
        color: (Double, Double) -> [Double]
    ) throws -> [UInt8] {
        try JPEGEncoder.encode(
            PixelBuffer(width: width, height: height) { x, y in
                pixel(
                    color(
                        (Double(x) + 0.5) / Double(width),
                        (Double(y) + 0.5) / Double(height)
                    )
                )
            },
            quality: quality
        )
    }

    private static func file(_ thumbnail: [UInt8], in picture: [UInt8]) -> [UInt8] {
        EXIF.insert(EXIF.block(orientation: 1, thumbnail: thumbnail), into: picture)
    }

    private static func decoded(
        _ file: [UInt8],
        _ size: PixelSize = PixelSize(width: 80, height: 60),
        acceptsThumbnail: Bool = true
    ) throws -> DecodedImage {
        var options = DecodingOptions(targetSize: size)
        options.acceptsThumbnail = acceptsThumbnail
        return try JPEGDecoder().decode(file, options: options)
    }

    // MARK: - Thumbnails of other content

    private static func gray(_ color: [Double]) -> [Double] {
        [Double](repeating: 0.299 * color[0] + 0.587 * color[1] + 0.114 * color[2], count: 3)
    }

    /// Returns the scene's colors with the saturation that another profile would show.
    private static func profiled(_ color: [Double]) -> [Double] {
        let level = gray(color)[0]
        return color.map { level + ($0 - level) * 0.6 }
    }

    private static let wrong: [(String, @Sendable () throws -> [UInt8])] = [
        ("another image", { try thumbnail { u, v in scene(v * 3 + 2, u * 2 + 5) } }),
        (
            "a crop of the middle",
            { try thumbnail { u, v in scene(0.15 + u * 0.7, 0.15 + v * 0.7) } }
        ),
        ("a crop of the left", { try thumbnail { u, v in scene(u * 0.8, v) } }),
        ("a crop of the right", { try thumbnail { u, v in scene(0.2 + u * 0.8, v) } }),
        ("a crop without the top", { try thumbnail { u, v in scene(u, 0.2 + v * 0.8) } }),
        ("gray for color", { try thumbnail { u, v in gray(scene(u, v)) } }),
        ("turned by 180°", { try thumbnail { u, v in scene(1 - u, 1 - v) } }),
        ("mirrored", { try thumbnail { u, v in scene(1 - u, v) } }),
        ("upside down", { try thumbnail { u, v in scene(u, 1 - v) } }),
        ("a negative", { try thumbnail { u, v in scene(u, v).map { 255 - $0 } } }),
        ("another color profile", { try thumbnail { u, v in profiled(scene(u, v)) } }),
        ("red and blue exchanged", { try thumbnail { u, v in scene(u, v).reversed() } }),
        (
            "before the exposure was raised",
            { try thumbnail { u, v in scene(u, v).map { $0 * 0.7 } } }
        ),
        ("one color", { try thumbnail { _, _ in [128, 128, 128] } }),
        (
            "a text over the image",
            {
                try thumbnail { u, v in
                    (0.2...0.8).contains(u) && (0.4...0.6).contains(v)
                        ? [255, 255, 255] : scene(u, v)
                }
            }
        ),
        ("broken", { try thumbnail { u, v in scene(u, v) }.map { $0 ^ 0x11 } }),
        (
            "with damaged data",
            {
                var bytes = try thumbnail(quality: 95) { u, v in scene(u, v) }
                for index in bytes.count / 2..<bytes.count - 20 { bytes[index] = 0x5A }
                return bytes
            }
        ),
    ]

    @Test(arguments: wrong.indices, [false, true])
    func `the image itself is shown if its thumbnail is wrong`(
        index: Int,
        isProgressive: Bool
    ) throws {
        let (name, thumbnail) = Self.wrong[index]
        let picture = try (isProgressive ? Self.progressive : Self.baseline).get()
        let file = Self.file(try thumbnail(), in: picture)

        let image = try Self.decoded(file)

        #expect(!image.isThumbnail, "\(name)")
        #expect(try image.pixels == Self.decoded(file, acceptsThumbnail: false).pixels, "\(name)")
    }

    @Test func `a squeezed thumbnail of a wide image leads to the image`() throws {
        let file = Self.file(
            try Self.thumbnail { u, v in Self.scene(u, v) },
            in: try Self.picture(720, 480)
        )

        let image = try Self.decoded(file, PixelSize(width: 90, height: 60))

        #expect(!image.isThumbnail)
    }

    /// The differences are in the first rows, although the first 64 KiB contain only a tenth of the
    /// image.
    @Test(arguments: [0, 1, 5, 7])
    func `the first rows of a large image reveal a wrong thumbnail`(index: Int) throws {
        let picture = try Self.large.get()
        let right = Self.file(try Self.thumbnail { u, v in Self.scene(u, v) }, in: picture)
        let wrong = Self.file(try Self.wrong[index].1(), in: picture)
        #expect(picture.count > 10 * DCBand.maximumByteCount)

        #expect(try Self.decoded(right).isThumbnail)
        #expect(try !Self.decoded(wrong).isThumbnail)
        #expect(try Self.isThumbnail(Array(right.prefix(72 << 10))))
        #expect(try !Self.isThumbnail(Array(wrong.prefix(72 << 10))))
    }

    /// Returns whether the beginning of a file is shown as its thumbnail.
    private static func isThumbnail(_ beginning: [UInt8]) throws -> Bool {
        var options = DecodingOptions(targetSize: PixelSize(width: 80, height: 60))
        (options.acceptsThumbnail, options.acceptsTruncation) = (true, true)
        let image = try JPEGDecoder().decode(beginning, options: options)
        return image.isThumbnail && image.isFinal
    }

    /// In the first rows of this image, a sky, a thumbnail of a part of it has similar colors.
    @Test(arguments: [0, 12.0])
    func `a thumbnail that differs only below the first rows is not used`(detail: Double) throws {
        func skyAndScene(_ u: Double, _ v: Double) -> [Double] {
            guard v < 0.4 else { return Self.scene(u, v) }
            let level = 60 * v + detail * sin(9 * u)
            return [90 + level, 130 + level, 190 + level]
        }
        let pixels = PixelBuffer(width: 1_600, height: 1_200) { x, y in
            let grain = Double((x &* 31 ^ y &* 17) % 16) - 7.5
            let (u, v) = ((Double(x) + 0.5) / 1_600, (Double(y) + 0.5) / 1_200)
            return Self.pixel(skyAndScene(u, v).map { $0 + grain })
        }
        let picture = try JPEGEncoder.encode(pixels, quality: 90)
        let right = try Self.thumbnail(color: skyAndScene)
        let part = try Self.thumbnail { u, v in skyAndScene(0.9 * u, 0.9 * v) }

        #expect(try !Self.decoded(Self.file(part, in: picture)).isThumbnail)
        // Without details, thumbnails of the whole image and of a part have the same first rows.
        #expect(try Self.decoded(Self.file(right, in: picture)).isThumbnail == (detail > 0))
    }

    @Test func `a wrong thumbnail is never final while the file is received`() throws {
        let file = Self.file(try Self.wrong[1].1(), in: try Self.picture(1_600, 1_200))
        var options = DecodingOptions(targetSize: PixelSize(width: 80, height: 60))
        options.acceptsThumbnail = true
        var decoder = IncrementalDecoder(options: options, expected: file.count)

        for start in stride(from: 0, to: file.count, by: 3_000) {
            let image = decoder.append(Array(file[start..<min(start + 3_000, file.count)]))
            #expect(image?.isThumbnail != true)
        }

        #expect(try decoder.finish().pixels == Self.decoded(file, acceptsThumbnail: false).pixels)
    }

    // MARK: - Right thumbnails

    @Test(
        arguments: [(160, 120, 80), (160, 120, 40), (320, 240, 90), (160, 121, 80)],
        [false, true]
    )
    func `a thumbnail of the image counts`(
        thumbnail: (width: Int, height: Int, quality: Int),
        isProgressive: Bool
    ) throws {
        let bytes = try Self.thumbnail(
            thumbnail.width,
            thumbnail.height,
            quality: thumbnail.quality
        ) { u, v in Self.scene(u, v) }

        let file = Self.file(bytes, in: try Self.picture(progressive: isProgressive))

        #expect(try Self.decoded(file).isThumbnail)
    }

    @Test(arguments: [(720, 480), (960, 540), (1_280, 530)])
    func `a thumbnail between black bars counts`(width: Int, height: Int) throws {
        let shown = 160 * Double(height) / Double(width) / 120
        let top = (1 - shown) / 2
        let bytes = try Self.thumbnail { u, v in
            let row = (v - top) / shown
            return (0..<1).contains(row) ? Self.scene(u, row) : [0, 0, 0]
        }

        let file = Self.file(bytes, in: try Self.picture(width, height))

        #expect(try Self.decoded(file, PixelSize(width: 80, height: 60)).isThumbnail)
    }

    @Test func `other content between the bars leads to the image`() throws {
        let shown = 160.0 * 480 / 720 / 120
        let bytes = try Self.thumbnail { u, v in
            let row = (v - (1 - shown) / 2) / shown
            return (0..<1).contains(row) ? Self.scene(1 - u, row) : [0, 0, 0]
        }

        let file = Self.file(bytes, in: try Self.picture(720, 480))

        #expect(try !Self.decoded(file, PixelSize(width: 80, height: 60)).isThumbnail)
    }

    @Test func `the thumbnail of a small image is not used`() throws {
        let bytes = try Self.thumbnail { u, v in Self.scene(u, v) }

        // A small image is decoded as fast as its thumbnail is compared.
        #expect(try !Self.decoded(Self.file(bytes, in: try Self.picture(320, 240))).isThumbnail)
    }
}
