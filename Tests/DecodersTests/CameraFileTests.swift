import Testing

@testable import Decoders

/// Embedded smaller images in files from other programs, used instead of the image:
/// `make-camera-files.py`.
@Suite struct CameraFileTests {
    enum Shown { case picture, larger, smaller }

    private static func decoded(
        _ file: [UInt8],
        _ width: Int,
        _ height: Int,
        change: (inout DecodingOptions) -> Void = { _ in }
    ) throws -> DecodedImage {
        var options = DecodingOptions(targetSize: PixelSize(width: width, height: height))
        options.acceptsThumbnail = true
        change(&options)
        return try DecoderRegistry.standard.decode(file, options: options)
    }

    /// Returns the embedded image that is shown, by its color.
    ///
    /// The image is gray. The previews are a little red and a little green, so that a test can tell
    /// which of them is shown.
    private static func shown(in image: DecodedImage) -> Shown {
        let middle = image.pixels[image.pixels.size.width / 2, image.pixels.size.height / 2]
        if Int(middle.red) > Int(middle.green) + 4 { return .larger }
        return Int(middle.green) > Int(middle.red) + 4 ? .smaller : .picture
    }

    @Test(arguments: [
        (100, 75, Shown.smaller), (240, 180, .smaller), (241, 181, .larger), (400, 300, .larger),
        (401, 301, .picture), (640, 480, .picture),
    ])
    func `the smallest preview with enough pixels is used as the image`(
        width: Int,
        height: Int,
        shown: Shown
    ) throws {
        let file = try Fixtures.bytes(of: "Camera/previews.jpg")

        let image = try Self.decoded(file, width, height)

        #expect(Self.shown(in: image) == shown)
        #expect(image.isThumbnail == (shown != .picture))
        #expect(image.pixels.size == PixelSize(width: width, height: height))
        #expect(image.properties.size == PixelSize(width: 640, height: 480))
    }

    @Test func `a preview that belongs to another image according to the file is not used`() throws
    {
        var file = try Fixtures.bytes(of: "Camera/previews.jpg")
        let date = Array("2026:11:23 10:00:00".utf8)
        let change = try #require(
            file.indices.dropLast(date.count).first {
                file[$0..<$0 + date.count].elementsEqual(date)
            }
        )
        // One year later than the photo.
        file[change + 3] += 1

        #expect(try !Self.decoded(file, 100, 75).isThumbnail)
    }

    @Test func `if a preview is cut or broken, the image is decoded instead`() throws {
        let file = try Fixtures.bytes(of: "Camera/previews.jpg")
        let starts = Fixtures.offsets(of: 0xD8, in: file)
        try #require(starts.count == 3)
        var broken = file
        for start in starts.dropFirst() { broken[start + 1] = 0 }

        let cut = try Self.decoded(Array(file[..<(starts[1] + 200)]), 100, 75)
        let image = try Self.decoded(broken, 100, 75)

        #expect(Self.shown(in: cut) == .picture && !cut.isThumbnail && cut.damage == nil)
        #expect(Self.shown(in: image) == .picture && !image.isThumbnail)
    }

    @Test(arguments: [1, 3, 4])
    func `a damaged index loses only the previews`(step: Int) throws {
        let file = try Fixtures.bytes(of: "Camera/previews.jpg")
        let index = try #require(
            file.indices.dropLast(4).first { file[$0..<$0 + 4].elementsEqual("MPF\0".utf8) }
        )
        for offset in stride(from: index + 4, to: index + 110, by: step) {
            for value: UInt8 in [0, 0x7F, 0xFF] {
                var damaged = file
                damaged[offset] = value
                #expect(throws: Never.self) { try Self.decoded(damaged, 40, 30) }
            }
        }
    }

    #if HEIF
    @Test func `the thumbnail of a phone's HEIC is available before the image`() throws {
        let file = try Fixtures.bytes(of: "Camera/phone.heic")

        let image = try Self.decoded(Array(file.prefix(11_000)), 80, 60) {
            $0.acceptsTruncation = true
        }

        #expect(image.isThumbnail && image.isFinal)
        #expect(try image == Self.decoded(file, 80, 60))
        #expect(throws: ImageDecodingError.truncated(.heic)) {
            try Self.decoded(Array(file.prefix(11_000)), 200, 150) { $0.acceptsTruncation = true }
        }
    }

    @Test func `a HEIC without the bytes after its image is shown and marked as truncated`() throws
    {
        let file = try Fixtures.bytes(of: "Camera/phone.heic")

        let image = try Self.decoded(Array(file.dropLast(10)), 200, 150) {
            $0.acceptsDamage = true
        }

        #expect(!image.isThumbnail && image.damage == .truncated(.heic))
        #expect(try image.pixels.bytes == Self.decoded(file, 200, 150).pixels.bytes)
    }

    @Test(arguments: ["crop", "gray", "mirrored", "turned", "negative", "dark", "another"])
    func `the image of a HEIC is shown if its thumbnail has other content`(name: String) throws {
        let file = try Fixtures.bytes(of: "Camera/thumbnail-\(name).heic")
        let right = try Fixtures.bytes(of: "Camera/thumbnail-right.heic")

        let image = try Self.decoded(file, 80, 60)

        #expect(!image.isThumbnail)
        #expect(
            try image.pixels == Self.decoded(file, 80, 60) { $0.acceptsThumbnail = false }.pixels
        )
        #expect(try Self.decoded(right, 80, 60).isThumbnail)
    }

    @Test func `the thumbnail of a partly received HEIC is final`() throws {
        let file = try Fixtures.bytes(of: "Camera/phone.heic")
        var options = DecodingOptions(targetSize: PixelSize(width: 80, height: 60))
        options.acceptsThumbnail = true
        var decoder = IncrementalDecoder(options: options, expected: file.count)

        let images = stride(from: 0, to: file.count, by: 1_000).map { start in
            decoder.append(Array(file[start..<min(start + 1_000, file.count)]))
        }

        // The first tile, with which the thumbnail is compared, ends at 10.4 kB. The third attempt
        // is made after 12 kB.
        #expect(images.firstIndex { $0?.isFinal == true } == 11)
        #expect(decoder.image?.isThumbnail == true)
    }
    #endif
}
