import PropertyRuns
import Testing

@testable import Decoders

/// The JPEG previews of RAW files.
@Suite struct RAWPreviewTests {
    private let registry = DecoderRegistry.standard
    private static let sensor = PixelSize(width: 100, height: 80)

    private static func images(orientation: Int = 1) throws -> RAWFile.Images {
        RAWFile.Images(
            preview: try RAWFile.jpeg(width: 60, height: 50),
            thumbnail: try RAWFile.jpeg(width: 16, height: 12),
            full: try RAWFile.jpeg(width: 90, height: 70, level: 200),
            size: sensor,
            orientation: orientation
        )
    }

    /// One file of each container, with the size of its largest preview.
    private static func files() throws -> [(name: String, bytes: [UInt8], size: PixelSize)] {
        let images = try images()
        let size = PixelSize(width: 60, height: 50)
        return [
            ("RAF", RAWFile.raf(preview: images.preview, sensor: sensor), size),
            ("RW2", RAWFile.rw2(preview: images.preview, sensor: sensor), size),
            ("ORF", RAWFile.orf(images), size),
            ("CR3", RAWFile.cr3(images), PixelSize(width: 90, height: 70)),
        ]
    }

    private func decode(_ file: [UInt8], acceptsDamage: Bool = false) throws -> DecodedImage {
        let image = try registry.decode(
            file,
            options: DecodingOptions(acceptsDamage: acceptsDamage)
        )
        #expect(try registry.probe(file) == image.properties)
        #expect(image.properties.format == .cameraRAW)
        return image
    }

    @Test func `the largest preview is the image`() throws {
        for (name, bytes, size) in try Self.files() {
            let image = try decode(bytes)

            #expect(image.pixels.size == size && !image.isThumbnail && image.isFinal, "\(name)")
        }
    }

    @Test(arguments: ["IIRO", "IIRS"])
    func `both Olympus signatures and notes are read`(magic: String) throws {
        for note in ["OLYMPUS\0II\u{3}\0", "OM SYSTEM\0\0\0II\u{4}\0"] {
            let file = RAWFile.orf(try Self.images(), magic: magic, note: note)

            #expect(try decode(file).pixels.size == PixelSize(width: 60, height: 50))
        }
    }

    @Test func `the track of a CR3 may have 32-bit offsets`() throws {
        let image = try decode(RAWFile.cr3(try Self.images(), isLong: false))

        #expect(image.pixels.size == PixelSize(width: 90, height: 70))
    }

    @Test func `the preview of a CR3 without a JPEG of full size is the image`() throws {
        var images = try Self.images()
        // As in files with HEIF previews, the first track contains no JPEG.
        images.full = Array("no JPEG file".utf8)

        #expect(try decode(RAWFile.cr3(images)).pixels.size == PixelSize(width: 60, height: 50))
    }

    @Test func `the orientation of the container turns the preview`() throws {
        let images = try Self.images(orientation: 6)
        let turned = RAWFile.rw2(preview: images.preview, sensor: Self.sensor, orientation: 6)

        for file in [turned, RAWFile.orf(images)] {
            let image = try decode(file)
            #expect(image.pixels.size == PixelSize(width: 50, height: 60))
            #expect(image.properties.orientation == 6)
        }
        #expect(try decode(RAWFile.cr3(images)).pixels.size == PixelSize(width: 70, height: 90))
    }

    @Test func `a preview with its own orientation is turned once`() throws {
        let exif = EXIF.block(orientation: 6)
        let preview = EXIF.insert(exif, into: try RAWFile.jpeg(width: 60, height: 50))

        for file in [
            RAWFile.rw2(preview: preview, sensor: Self.sensor, orientation: 6),
            RAWFile.raf(preview: preview, sensor: Self.sensor),
        ] {
            #expect(try decode(file).pixels.size == PixelSize(width: 50, height: 60))
        }
    }

    @Test func `a preview with less than a quarter of the pixels is a thumbnail`() throws {
        let stamp = try RAWFile.jpeg(width: 16, height: 12)
        let large = PixelSize(width: 160, height: 120)
        var images = try Self.images()
        (images.preview, images.full, images.size) = (stamp, stamp, large)

        for file in [
            RAWFile.raf(preview: stamp, sensor: large), RAWFile.rw2(preview: stamp, sensor: large),
            RAWFile.orf(images), RAWFile.cr3(images),
        ] {
            #expect(try decode(file).isThumbnail)
        }
        let quarter = PixelSize(width: 32, height: 24)
        #expect(try !decode(RAWFile.raf(preview: stamp, sensor: quarter)).isThumbnail)
    }

    /// Samsung's SRW is a TIFF file: the second directory has a nested one with the JPEG.
    @Test func `the JPEG in a nested directory of an SRW is the image`() throws {
        var first = TIFFFile.page(width: 16, height: 12, level: 9, kind: 1)
        first.next = 1
        var second = TIFFFile.page(
            width: 80,
            height: 60,
            level: 0,
            others: [259: 32_770, 262: 32_803]
        )
        second.children = [2]
        let preview = TIFFFile.Directory(
            entries: [254: 1, 259: 6],
            data: try RAWFile.jpeg(width: 60, height: 50),
            isInterchangeFormat: true
        )
        let file = TIFFFile(directories: [first, second, preview]).bytes()

        let image = try registry.decode(file, options: DecodingOptions())

        #expect(image.pixels.size == PixelSize(width: 60, height: 50) && !image.isThumbnail)
    }

    @Test func `a preview outside of the file is reported as a truncated file`() throws {
        let images = try Self.images()
        for offset in [1 << 20, 1 << 31, 1 << 32 - 1] {
            for file in [
                RAWFile.raf(preview: images.preview, sensor: Self.sensor, offset: offset),
                RAWFile.rw2(preview: images.preview, sensor: Self.sensor, offset: offset),
                RAWFile.orf(images, offset: offset), RAWFile.cr3(images, offset: offset),
            ] {
                #expect(throws: ImageDecodingError.truncated(.cameraRAW)) {
                    try registry.decode(file, options: DecodingOptions())
                }
            }
        }
    }

    @Test func `a file without a preview is refused with the reason`() throws {
        let none = Array("no JPEG file".utf8)
        let images = RAWFile.Images(preview: none, thumbnail: none, full: none, size: Self.sensor)
        for file in [
            RAWFile.raf(preview: none, sensor: Self.sensor),
            RAWFile.rw2(preview: none, sensor: Self.sensor), RAWFile.orf(images),
            RAWFile.cr3(images),
        ] {
            let error = #expect(throws: ImageDecodingError.self) { try registry.probe(file) }
            #expect(
                error?.description == "RAW: sensor data without a JPEG preview not supported"
            )
        }
    }

    /// Otherwise a thumbnail that arrives first would end the transfer.
    @Test func `the preview received so far is not final if a larger one is missing`() throws {
        let images = try Self.images()
        let file = RAWFile.cr3(images)
        let cut = Array(file.prefix(file.count - images.full.count))

        #expect(throws: ImageDecodingError.truncated(.cameraRAW)) {
            try registry.decode(cut, options: DecodingOptions())
        }
        let options = DecodingOptions(acceptsTruncation: true)
        let image = try registry.decode(cut, options: options)

        #expect(image.pixels.size == PixelSize(width: 60, height: 50) && !image.isFinal)
        #expect(try decode(cut, acceptsDamage: true).damage == .truncated(.cameraRAW))
    }

    @Test func `a file cut at any byte never gives the whole image`() throws {
        for (name, bytes, size) in try Self.files() {
            // A JPEG is complete without the bytes of its end marker.
            for count in 0..<bytes.count - 2 {
                let cut = Array(bytes.prefix(count))
                #expect(throws: ImageDecodingError.self, "\(name), \(count) bytes") {
                    try registry.decode(cut, options: DecodingOptions())
                }
                let options = DecodingOptions(acceptsTruncation: true)
                let preview = try? registry.decode(cut, options: options)
                #expect(preview.map { $0.pixels.size.isInside(size) } ?? true)
            }
        }
    }

    @Test(arguments: [0, 1 << 31 - 1, 1 << 31, 1 << 32 - 1, .max])
    func `extreme numbers in any field give an image or an error`(value: Int) throws {
        let limits = DecodingLimits(maximumByteCount: 16 << 20)
        for (_, bytes, _) in try Self.files() {
            let end = bytes.count - (try RAWFile.jpeg(width: 60, height: 50)).count
            for place in stride(from: 8, to: end - 8, by: PropertyRuns.isSanitized ? 5 : 1) {
                for number in [
                    TIFFFile.number(value, 2), TIFFFile.number(value), RAWFile.big(value),
                    RAWFile.big(value, 8), TIFFFile.number(value, 8),
                ] {
                    var changed = bytes
                    changed.replaceSubrange(place..<place + number.count, with: number)
                    _ = try? registry.decode(
                        changed,
                        options: DecodingOptions(limits: limits, acceptsDamage: true)
                    )
                }
            }
        }
    }

    @Test func `any changed bits give an image or an error`() throws {
        var generator = SeededGenerator(seed: 8)
        for (_, bytes, _) in try Self.files() {
            for _ in 0..<(PropertyRuns.isSanitized ? 50 : 500) {
                var changed = bytes
                for _ in 0..<Int.random(in: 1...6, using: &generator) {
                    let place = Int.random(in: 0..<changed.count, using: &generator)
                    changed[place] ^= UInt8(1 << Int.random(in: 0..<8, using: &generator))
                }
                _ = try? registry.decode(changed, options: DecodingOptions(acceptsDamage: true))
            }
        }
    }
}
