import Decoders
import Testing

/// When a file that has come in part gives the picture of the whole (fact P10, idea 1).
@Suite struct FinalPictureTests {
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
