import Testing

@testable import Decoders

/// Which scans of a progressive file are read for pictures larger than its DC grid.
@Suite struct JPEGEarlyFinishTests {
    /// The sides at which 480×360 is decoded at a quarter and a half, and the scan of libjpeg's
    /// script that completes the detail visible there.
    private static let cases: [(side: Int, scan: Int)] = [(60, 4), (120, 7)]

    private let file = ArrivingFile.progressive

    @Test(arguments: cases)
    func `the image is complete after the last scan that is visible`(
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
    func `the image is not final before that scan has ended`(side: Int, scan: Int) throws {
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
    func `scans are skipped only for images with two samples per pixel`(
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
    func `the skipped scans would not change the visible result`(side: Int, scan: Int) throws {
        let bytes = try JPEGEncoder.encode(.scenery, quality: 85, progressive: true)
        var options = ArrivingFile.options(side)

        let image = try JPEGDecoder().decode(bytes, options: options)
        options.usesFastPaths = false
        let reference = try JPEGDecoder().decode(bytes, options: options)

        #expect(image != reference, "all scans are read")
        #expect(image.pixels.signalToNoise(against: reference.pixels) > 43)
    }

    @Test(arguments: cases)
    func `a file that ends after the visible scans is still truncated`(
        side: Int,
        scan: Int
    ) throws {
        let prefix = file.prefix(file.scanEnds[scan] + 2)

        #expect(throws: ImageDecodingError.truncated(.jpeg)) {
            try JPEGDecoder().decode(prefix, options: ArrivingFile.options(side))
        }
    }

    @Test(arguments: cases)
    func `all scans of a file without an end marker are read`(side: Int, scan: Int) throws {
        var options = ArrivingFile.options(side)

        let image = try JPEGDecoder().decode(Array(file.bytes.dropLast(2)), options: options)
        options.usesFastPaths = false

        #expect(try image == JPEGDecoder().decode(file.bytes, options: options))
    }

    @Test func `all scans are read without fast paths`() throws {
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
