import Testing

@testable import Decoders

/// Limits on the cost of decoding a file, besides pixels and bytes.
@Suite struct CostLimitTests {
    private static let files = Result { try noiseFiles(width: 400, height: 300) }

    private let registry = DecoderRegistry.standard

    private static let errors: [(error: ImageDecodingError, text: String)] = [
        (
            .tooManyPixels(PixelSize(width: 30_000, height: 30_000), limit: 100_000_000),
            "too many pixels: 30000×30000, limit 100 MP"
        ),
        (
            .sideTooLong(PixelSize(width: 70_000, height: 2), limit: 65_500),
            "side too long: 70000×2, limit 65500"
        ),
        (
            .tooMuchMemory(byteCount: (600 << 20) + 1, limit: 512 << 20),
            "needs 601 MiB to decode, limit 512 MiB"
        ),
        (.tooMuchMemory(byteCount: 0, limit: 0), "out of memory"),
        (
            .tooMuchTime(.milliseconds(20_001), limit: .seconds(20)),
            "decoding took 20.1 s, limit 20 s"
        ),
        (.tooManyScans(limit: 500), "more than 500 scans"),
        (
            .tooMuchMetadata(byteCount: (4 << 20) + 1, limit: 4 << 20),
            "metadata of 5 MiB, limit 4 MiB"
        ),
        (.tooMuchMetadata(byteCount: 3_000, limit: 2_048), "metadata of 3 KiB, limit 2 KiB"),
        (.tooMuchMetadata(byteCount: 300, limit: 200), "metadata of 300 B, limit 200 B"),
    ]

    @Test(arguments: errors.indices)
    func `each limit error states the actual and permitted value in a cell's width`(index: Int) {
        let (error, text) = Self.errors[index]

        #expect(error.description == text)
        #expect(text.count <= 45)
        #expect(error.isLimit)
    }

    @Test(arguments: [
        ImageDecodingError.truncated(.png), .corrupt(.jpeg, "x"), .unsupportedFormat("x"),
        .unsupportedFeature(.png, "x"), .empty, .cancelled,
    ])
    func `an error about the bytes is not a limit error`(error: ImageDecodingError) {
        #expect(!error.isLimit)
    }

    // MARK: - Pixels and memory

    @Test(arguments: 0..<4)
    func `an image of exactly the permitted pixels is decoded and one more is refused`(
        index: Int
    ) throws {
        let file = try Self.files.get()[index]
        var options = DecodingOptions(targetSize: PixelSize(width: 20, height: 20))

        options.limits.maximumPixelCount = 120_000
        #expect(throws: Never.self) { try registry.decode(file, options: options) }
        options.limits.maximumPixelCount = 119_999
        let size = PixelSize(width: 400, height: 300)
        #expect(throws: ImageDecodingError.tooManyPixels(size, limit: 119_999)) {
            try registry.decode(file, options: options)
        }
    }

    @Test(arguments: 0..<4, [nil, PixelSize(width: 60, height: 60)])
    func `a decode within the memory that errors require succeeds, and a byte less is refused`(
        index: Int,
        target: PixelSize?
    ) throws {
        let file = try Self.files.get()[index]
        var options = DecodingOptions(targetSize: target)
        var (limit, refusalCount) = (1, 0)
        func isDecoded(within byteCount: Int) throws -> Bool {
            options.limits.maximumByteCount = byteCount
            do throws(ImageDecodingError) {
                _ = try registry.decode(file, options: options)
                return true
            } catch {
                guard case .tooMuchMemory(let found, limit: byteCount) = error else { throw error }
                limit = found
                return false
            }
        }

        while try !isDecoded(within: limit), refusalCount < 4 { refusalCount += 1 }

        // The size of the result is checked first, then the memory during decoding.
        #expect((1...2).contains(refusalCount))
        #expect(try !isDecoded(within: limit - 1))
    }

    // MARK: - Sides

    private func line(_ width: Int, isUpright: Bool) -> [UInt8] {
        PNGFile(
            colorType: .gray,
            depth: 1,
            width: isUpright ? 1 : width,
            height: isUpright ? width : 1
        ) { _, _ in [1] }.encoded()
    }

    @Test(arguments: [false, true])
    func `a side of as many pixels as allowed is decoded and one more is refused`(
        isUpright: Bool
    ) throws {
        var options = DecodingOptions()
        options.limits.maximumSide = 70_000
        let image = try registry.decode(line(70_000, isUpright: isUpright), options: options)
        #expect(image.pixels.size.pixelCount == 70_000)

        let size = PixelSize(width: isUpright ? 1 : 70_001, height: isUpright ? 70_001 : 1)
        #expect(throws: ImageDecodingError.sideTooLong(size, limit: 70_000)) {
            try registry.decode(line(70_001, isUpright: isUpright), options: options)
        }
    }

    @Test(arguments: [false, true], [nil, PixelSize(width: 50, height: 50)])
    func `a PNG may have a side of a million pixels`(isUpright: Bool, target: PixelSize?) throws {
        let image = try registry.decode(
            line(1_000_000, isUpright: isUpright),
            options: DecodingOptions(targetSize: target)
        )

        #expect(image.properties.size.pixelCount == 1_000_000)
        #expect(image.pixels.bytes.allSatisfy { $0 == 255 })
    }

    @Test func `a JPEG with a side that libjpeg rejects is refused by name`() throws {
        var file = try Fixtures.bytes(of: "444.jpg")
        let frame = try #require(Fixtures.offsets(of: 0xC0, in: file).first)
        file.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xFF, 0, 1])

        #expect(throws: ImageDecodingError.unsupportedFeature(.jpeg, "a side above 65500 pixels")) {
            try registry.decode(file, options: DecodingOptions())
        }
    }

    // MARK: - Scans

    @Test(arguments: [nil, PixelSize(width: 4, height: 4)])
    func `500 scans are decoded and one more is refused`(target: PixelSize?) throws {
        // With libjpeg, because the DC path reads no scan twice.
        let options = DecodingOptions(targetSize: target)

        #expect(throws: Never.self) { try registry.decode(JPEGBomb.scans(500), options: options) }
        #expect(throws: ImageDecodingError.tooManyScans(limit: 500)) {
            try registry.decode(JPEGBomb.scans(501), options: options)
        }
    }

    @Test(arguments: [true, false])
    func `the limit of scans applies on the DC path as in libjpeg`(usesFastPaths: Bool) throws {
        let picture = noise(width: 400, height: 300, hasAlpha: false, seed: 8)
        let file = try JPEGEncoder.encode(picture, quality: 60, progressive: true)
        let scanCount = file.withUnsafeBufferPointer { file in
            JPEGScanCount(in: file, after: JPEGHeaderSegments(file), upTo: 100).count
        }
        var options = DecodingOptions(targetSize: PixelSize(width: 20, height: 15))
        options.usesFastPaths = usesFastPaths

        #expect(scanCount == 10)
        options.limits.maximumScanCount = scanCount
        #expect(throws: Never.self) { try registry.decode(file, options: options) }
        options.limits.maximumScanCount = scanCount - 1
        #expect(throws: ImageDecodingError.tooManyScans(limit: scanCount - 1)) {
            try registry.decode(file, options: options)
        }
    }

    @Test func `libjpeg obeys the limit even if the scans were not counted before`() throws {
        let file = try JPEGBomb.scans(60)

        #expect(throws: ImageDecodingError.tooManyScans(limit: 20)) {
            try file.withUnsafeBufferPointer { (file) throws(ImageDecodingError) in
                let reader = try JPEGReader(file)
                _ = try reader.readHeader()
                _ = try reader.start(scale: .full, memoryLimit: 1 << 20)
                while try reader.consumeScans(blockRowCount: 1, maximumScanCount: 20) {}
            }
        }
    }

    // MARK: - Time

    @Test(arguments: 0..<4, [nil, PixelSize(width: 20, height: 20)])
    func `a decode ends after the permitted time`(
        index: Int,
        target: PixelSize?
    ) throws {
        let file = try Self.files.get()[index]
        var options = DecodingOptions(targetSize: target)
        options.limits.maximumDuration = .seconds(1)

        // Each call of the clock advances it by one second.
        options.clocks = SteppingClock.clocks(step: .seconds(1))
        #expect(throws: ImageDecodingError.tooMuchTime(.seconds(2), limit: .seconds(1))) {
            try registry.decode(file, options: options)
        }
        options.clocks = SteppingClock.clocks(step: .zero)
        #expect(throws: Never.self) { try registry.decode(file, options: options) }
    }

    @Test func `time in which the thread was idle does not count`() throws {
        var options = DecodingOptions()
        options.clocks = DecodingClocks(
            uptime: SteppingClock.clocks(step: .seconds(100)).uptime,
            processorTime: { .seconds(7) }
        )

        #expect(throws: Never.self) {
            for file in try Self.files.get() { _ = try registry.decode(file, options: options) }
        }
    }

    @Test func `the clocks advance, and CPU time no faster than wall time`() {
        let clocks = DecodingClocks.system
        let (start, startOfWork) = (clocks.uptime(), clocks.processorTime())

        while clocks.processorTime() == startOfWork {}

        let spent = clocks.processorTime() - startOfWork
        #expect(spent > .zero)
        #expect(clocks.uptime() - start >= spent)
    }
}
