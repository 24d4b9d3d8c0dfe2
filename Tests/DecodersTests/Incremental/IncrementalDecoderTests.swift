import Decoders
import Testing

@Suite struct IncrementalDecoderTests {
    // M41, P10
    @Test(arguments: 1...12 as ClosedRange<UInt64>, [20, 200])
    func `however a file is cut, what is final is the whole file's picture`(
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

    // P10
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

    // P11
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

    @Test func `what is no picture gives none`() {
        var decoder = IncrementalDecoder(options: ArrivingFile.options(20))

        let image = decoder.append(Array(repeating: 1, count: 100_000))

        #expect(image == nil && decoder.image == nil)
    }
}

/// When a file that has come in part gives the picture of the whole (fact P10, idea 1).
@Suite struct FinalImageTests {
    private let file = ArrivingFile.progressive

    private func preview(_ byteCount: Int, _ side: Int?) throws(ImageDecodingError) -> DecodedImage
    {
        var options = ArrivingFile.options(side)
        options.acceptsTruncation = true
        return try DecoderRegistry.standard.decode(file.prefix(byteCount), options: options)
    }

    // P10
    @Test func `with the DC scan and the marker behind it a thumbnail is the whole file's`()
        throws
    {
        let end = try #require(file.scanEnds.first)

        let image = try preview(end + 2, 20)

        #expect(image.isFinal)
        #expect(try image == file.picture(20))
        #expect(end < file.bytes.count / 3)
    }

    @Test func `before that nothing is final`() throws {
        let end = try #require(file.scanEnds.first)

        for count in stride(from: 0, to: end, by: 499) {
            let image = try? preview(count, 20)
            #expect(image?.isFinal != true, "\(count) bytes")
        }
    }

    // P13
    @Test(arguments: [50, 100])
    func `a larger view is final behind the scan that shows last, and is the whole file's`(
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
    func `at nearly full size the DC scans are a preview only`(side: Int?) throws {
        let end = try #require(file.scanEnds.dropFirst().first)

        #expect(try !preview(end, side).isFinal)
    }

    @Test(arguments: [20, nil])
    func `what is decoded without truncation is final`(side: Int?) throws {
        for file in ArrivingFile.all {
            #expect(try file.picture(side).isFinal, "\(file.name)")
        }
    }
}
