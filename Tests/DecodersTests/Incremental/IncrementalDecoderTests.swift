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
