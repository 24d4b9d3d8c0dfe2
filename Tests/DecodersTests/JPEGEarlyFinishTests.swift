import Testing

@testable import Decoders

/// Which scans of a progressive file are read for pictures larger than its DC grid.
@Suite struct JPEGEarlyFinishTests {
    /// The sides at which 480×360 is decoded at a quarter and a half, and the scan of libjpeg's
    /// script that brings the last of what shows there.
    private static let cases: [(side: Int, scan: Int)] = [(60, 4), (120, 7)]

    private let file = ArrivingFile.progressive

    @Test(arguments: cases)
    func `with the last scan that shows the picture is the whole file's`(
        side: Int,
        scan: Int
    ) throws {
        let end = file.scanEnds[scan - 1]

        let image = try preview(file.prefix(end + 2), side)

        #expect(image.isFinal)
        #expect(try image == file.picture(side))
        #expect(end < file.bytes.count * 3 / 4)
    }

    @Test(arguments: cases)
    func `before that scan has ended nothing is final`(side: Int, scan: Int) throws {
        let end = file.scanEnds[scan - 1]
        let before = file.scanEnds[scan - 2]

        for count in [before, before + 2, (before + end) / 2, end - 8] {
            #expect(try !preview(file.prefix(count), side).isFinal, "\(count) bytes")
        }
    }

    @Test func `at full scale all scans are read`() throws {
        let last = try #require(file.scanEnds.last)
        let before = try #require(file.scanEnds.dropLast().last)

        #expect(try !preview(file.prefix(before + 2), 300).isFinal)
        #expect(try preview(file.prefix(last + 2), 300).isFinal)
    }

    @Test(arguments: [
        (PixelSize(width: 640, height: 400), true), (PixelSize(width: 1000, height: 600), false),
    ])
    func `only of pictures with two samples a pixel scans are left out`(
        target: PixelSize,
        isLeftOut: Bool
    ) {
        for scale in [JPEGScale.half, .quarter, .eighth] {
            let quantizers = [JPEGQuantizer(mean: 8, lowFrequencies: 8)]
            let detail = JPEGDetail(at: scale, target: target, quantizers: quantizers)
            #expect((detail != nil) == isLeftOut)
        }
    }

    @Test(arguments: cases)
    func `what the scans that are not read would add does not show`(side: Int, scan: Int) throws {
        let bytes = try JPEGEncoder.encode(.scenery, quality: 85, progressive: true)
        var options = ArrivingFile.options(side)

        let image = try JPEGDecoder().decode(bytes, options: options)
        options.usesFastPaths = false
        let reference = try JPEGDecoder().decode(bytes, options: options)

        #expect(image != reference, "all scans are read")
        #expect(image.pixels.signalToNoise(against: reference.pixels) > 43)
    }

    @Test(arguments: cases)
    func `a file that ends behind the scans that show is still too short`(
        side: Int,
        scan: Int
    ) throws {
        let prefix = file.prefix(file.scanEnds[scan] + 2)

        #expect(throws: ImageDecodingError.truncated(.jpeg)) {
            try JPEGDecoder().decode(prefix, options: ArrivingFile.options(side))
        }
    }

    @Test(arguments: cases)
    func `of a file without an end marker all scans are read`(side: Int, scan: Int) throws {
        var options = ArrivingFile.options(side)

        let image = try JPEGDecoder().decode(Array(file.bytes.dropLast(2)), options: options)
        options.usesFastPaths = false

        #expect(try image == JPEGDecoder().decode(file.bytes, options: options))
    }

    @Test func `without ways of our own all scans are read`() throws {
        var options = ArrivingFile.options(60)
        options.usesFastPaths = false
        options.acceptsTruncation = true
        let before = try #require(file.scanEnds.dropLast().last)

        #expect(try !JPEGDecoder().decode(file.prefix(before + 2), options: options).isFinal)
    }

    // MARK: - Helpers

    private func preview(_ bytes: [UInt8], _ side: Int) throws(ImageDecodingError) -> DecodedImage {
        var options = ArrivingFile.options(side)
        options.acceptsTruncation = true
        return try JPEGDecoder().decode(bytes, options: options)
    }
}
