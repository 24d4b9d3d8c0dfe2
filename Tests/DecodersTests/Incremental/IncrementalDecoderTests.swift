import DecoderContracts
import Decoders
import PropertyRuns
import Testing

@Suite struct IncrementalDecoderTests {
    // M41
    @Test(arguments: 1...UInt64(PropertyRuns.count(5)), [20, 200])
    func `a final image equals the image of the whole file, at every cut`(
        seed: UInt64,
        side: Int
    ) throws {
        var random = SeededGenerator(seed: seed)
        for file in ArrivingFile.all {
            let picture = try file.picture(side)
            let limit = Int.random(in: 1...file.bytes.count, using: &random)
            var decoder = IncrementalDecoder(
                options: ArrivingFile.options(side),
                expected: Bool.random(using: &random) ? file.bytes.count : nil
            )

            let images = file.chunks(upTo: limit, using: &random).compactMap { decoder.append($0) }

            let finals = images.filter(\.isFinal)
            #expect(finals.allSatisfy { $0 == picture }, "seed \(seed), \(file.name)")
            #expect(finals.count <= 1, "seed \(seed), \(file.name)")
            #expect(images.allSatisfy { $0.pixels.size == picture.pixels.size })
            #expect(decoder.bytes == file.bytes)
        }
    }

    @Test func `a progressive thumbnail is final after a third of the file, with one decode`() {
        let file = ArrivingFile.progressive
        var decoder = IncrementalDecoder(options: ArrivingFile.options(20))
        var images: [DecodedImage] = []

        for start in stride(from: 0, to: file.bytes.count, by: 500)
        where images.last?.isFinal != true {
            let chunk = Array(file.bytes[start..<min(start + 500, file.bytes.count)])
            if let image = decoder.append(chunk) { images.append(image) }
        }

        #expect(images.map(\.isFinal) == [true])
        #expect(decoder.bytes.count < file.bytes.count / 3)
    }

    @Test func `an interlaced thumbnail is final in the first third, after a few decodes`() throws {
        let file = ArrivingFile.all[3]
        var decoder = IncrementalDecoder(
            options: ArrivingFile.options(20),
            expected: file.bytes.count
        )
        var count = 0

        for start in stride(from: 0, to: file.bytes.count, by: 500)
        where decoder.image?.isFinal != true {
            let end = min(start + 500, file.bytes.count)
            if decoder.append(Array(file.bytes[start..<end])) != nil { count += 1 }
        }

        #expect(try decoder.image == file.picture(20))
        #expect(decoder.bytes.count < file.bytes.count / 3)
        #expect(count <= 8)
    }

    // MARK: - The end

    private static let fixtures = [
        "411.jpg", "420.jpg", "422.jpg", "440.jpg", "444.jpg", "arithmetic.jpg", "cmyk.jpg",
        "gray.jpg", "gray4.png", "grayalpha8.png", "palette8trns.png", "progressive.jpg",
        "restart.jpg", "rgb.jpg", "rgb16.png", "rgb8.png", "rgba16interlaced.png",
        "rgba8interlaced.png", "scans.jpg", "ycck.jpg",
    ]

    /// Returns an image or an error.
    private static func result(
        _ body: () throws(ImageDecodingError) -> DecodedImage
    ) -> Result<DecodedImage, ImageDecodingError> {
        do throws(ImageDecodingError) { return .success(try body()) } catch {
            return .failure(error)
        }
    }

    /// Feeds `bytes` in pieces and compares the end with the decode of the whole.
    private static func expectSameEnd(
        _ bytes: [UInt8],
        pieces count: Int,
        options: DecodingOptions,
        isLengthKnown: Bool,
        _ name: String
    ) {
        let whole = result { () throws(ImageDecodingError) in
            try DecoderRegistry.standard.decode(bytes, options: options)
        }
        var decoder = IncrementalDecoder(
            options: options,
            expected: isLengthKnown ? bytes.count : nil
        )
        var last: DecodedImage?

        for start in stride(from: 0, to: bytes.count, by: count) {
            last = decoder.append(Array(bytes[start..<min(start + count, bytes.count)])) ?? last
        }
        let (before, isComplete) = (decoder.image, last?.isFinal == true)
        let end = result { () throws(ImageDecodingError) in try decoder.finish() }

        #expect(end == whole, "\(name) in pieces of \(count)")
        #expect(before == last, "\(name) in pieces of \(count)")
        guard case .success(let image) = whole else { return }
        // With the length known, the last piece brings the image, and `finish` repeats it.
        #expect(isComplete || !isLengthKnown, "\(name) in pieces of \(count)")
        #expect(!isComplete || last == image, "\(name) in pieces of \(count)")
        #expect(decoder.image == image)
    }

    @Test(arguments: [1, 7, 1_000], [nil, 20])
    func `a file in pieces ends with the image of the whole file`(
        count: Int,
        side: Int?
    ) throws {
        for name in Self.fixtures {
            let bytes = try Fixtures.bytes(of: name)
            for isLengthKnown in [true, false] {
                Self.expectSameEnd(
                    bytes,
                    pieces: count,
                    options: ArrivingFile.options(side),
                    isLengthKnown: isLengthKnown,
                    name
                )
            }
        }
    }

    @Test(arguments: [7, 1_000], [20, 100])
    func `a large file in pieces ends with the image of the whole file`(count: Int, side: Int) {
        for file in ArrivingFile.all {
            for isLengthKnown in [true, false] {
                Self.expectSameEnd(
                    file.bytes,
                    pieces: count,
                    options: ArrivingFile.options(side),
                    isLengthKnown: isLengthKnown,
                    file.name
                )
            }
        }
    }

    @Test(
        arguments: ["JPEG", "JPEGFast", "PNG"],
        PropertyRuns.isSanitized ? [1_000] : [1, 7, 1_000]
    )
    func `a damaged file in pieces gives the image or the error of the whole file`(
        folder: String,
        count: Int
    ) throws {
        var options = ArrivingFile.options(12)
        options.limits = DecodingLimits(maximumPixelCount: 1 << 18)

        for file in try DamageCorpus.files(in: folder) {
            let whole = Self.result { () throws(ImageDecodingError) in
                try DecoderRegistry.standard.decode(file.bytes, options: options)
            }
            for expected in [nil, file.bytes.count] {
                var decoder = IncrementalDecoder(options: options, expected: expected)
                for start in stride(from: 0, to: file.bytes.count, by: count) {
                    let end = min(start + count, file.bytes.count)
                    _ = decoder.append(Array(file.bytes[start..<end]))
                }
                let end = Self.result { () throws(ImageDecodingError) in try decoder.finish() }
                #expect(end == whole, "\(file.name) in pieces of \(count)")
            }
        }
    }

    @Test func `finishing twice gives the same result, and bytes after the end count`() throws {
        let file = ArrivingFile.all[2]
        let (half, rest) = (file.prefix(file.bytes.count / 2), file.bytes.count / 2)
        var decoder = IncrementalDecoder(options: ArrivingFile.options(20))
        _ = decoder.append(half)

        #expect(throws: ImageDecodingError.truncated(.png)) { try decoder.finish() }
        #expect(throws: ImageDecodingError.truncated(.png)) { try decoder.finish() }
        _ = decoder.append(Array(file.bytes[rest...]))
        let image = try decoder.finish()

        #expect(try image == file.picture(20))
        #expect(try decoder.finish() == image)
    }

    @Test func `a decoder that accepts truncation finishes with the received bytes`() throws {
        let file = ArrivingFile.all[2]
        let half = file.prefix(file.bytes.count / 2)
        var options = ArrivingFile.options(20)
        options.acceptsTruncation = true
        var decoder = IncrementalDecoder(options: options)
        _ = decoder.append(half)

        let image = try decoder.finish()

        #expect(try image == DecoderRegistry.standard.decode(half, options: options))
        #expect(!image.isFinal)
    }

    @Test func `finishing without bytes gives nothing`() {
        var decoder = IncrementalDecoder(options: ArrivingFile.options(20), expected: 10)

        #expect(throws: ImageDecodingError.unsupportedFormat("empty file")) {
            try decoder.finish()
        }
    }

    @Test func `a file that is not an image gives no image`() {
        var decoder = IncrementalDecoder(options: ArrivingFile.options(20))

        let image = decoder.append(Array(repeating: 1, count: 100_000))

        #expect(image == nil && decoder.image == nil)
    }
}

/// When a partly received file gives the final image.
@Suite struct FinalImageTests {
    private let file = ArrivingFile.progressive

    private func preview(_ byteCount: Int, _ side: Int?) throws(ImageDecodingError) -> DecodedImage
    {
        var options = ArrivingFile.options(side)
        options.acceptsTruncation = true
        return try DecoderRegistry.standard.decode(file.prefix(byteCount), options: options)
    }

    @Test func `a thumbnail is final after the DC scan and the next marker`()
        throws
    {
        let end = try #require(file.scanEnds.first)

        let image = try preview(end + 2, 20)

        #expect(image.isFinal)
        #expect(try image == file.picture(20))
        #expect(end < file.bytes.count / 3)
    }

    @Test func `a thumbnail is not final before the DC scan has ended`() throws {
        let end = try #require(file.scanEnds.first)

        for count in stride(from: 0, to: end, by: 499) {
            let image = try? preview(count, 20)
            #expect(image?.isFinal != true, "\(count) bytes")
        }
    }

    @Test(arguments: [50, 100])
    func `a larger view is final after the last scan that is visible`(
        side: Int
    ) throws {
        let ends = try file.scanEnds.filter { try preview($0 + 2, side).isFinal }

        let first = try #require(ends.first)
        #expect(first > file.scanEnds[0] && first < file.bytes.count * 9 / 10)
        for end in ends {
            #expect(try preview(end + 2, side) == file.picture(side))
        }
    }

    @Test(arguments: [nil, 400])
    func `the DC scans give only a preview of a nearly full-size view`(side: Int?) throws {
        let end = try #require(file.scanEnds.dropFirst().first)

        #expect(try !preview(end, side).isFinal)
    }

    @Test(arguments: [20, nil])
    func `an image decoded without truncation is final`(side: Int?) throws {
        for file in ArrivingFile.all {
            #expect(try file.picture(side).isFinal, "\(file.name)")
        }
    }
}
