import Testing

@testable import Decoders

/// The colors of progressive files, of which some scans are not read, compared with the same
/// coefficients in a baseline file, which is read completely.
@Suite struct JPEGColorTests {
    private static let qualities = [15, 30, 50, 75, 85, 95]
    /// The sides at which 480×360 is decoded at an eighth, a quarter and a half.
    private static let sides = [20, 60, 120]

    @Test(arguments: qualities, sides)
    func `a progressive file has the colors of the baseline one`(quality: Int, side: Int) throws {
        let image = try Self.image(.scenery, quality, side)
        let reference = try Self.image(.scenery, quality, side, isProgressive: false)

        for channel in 0..<3 {
            let shift = Self.mean(image, channel) - Self.mean(reference, channel)
            #expect(abs(shift) < 0.4, "channel \(channel)")
        }
        #expect(image.signalToNoise(against: reference) > 40)
    }

    @Test(arguments: qualities, sides)
    func `gray images stay gray`(quality: Int, side: Int) throws {
        let gray = PixelBuffer(width: 480, height: 360) { x, y in
            let value = UInt8(clamping: 128 + (x - 240) / 4 + (y % 16))
            return Pixel(value, value, value)
        }

        let image = try Self.image(gray, quality, side)

        #expect(Self.colorfulness(image) <= 1)
    }

    @Test(arguments: qualities)
    func `a gray image is gray before its last bits are received`(quality: Int) throws {
        let gray = PixelBuffer(width: 480, height: 360) { x, y in
            Pixel(UInt8(x / 2), UInt8(x / 2), UInt8(x / 2))
        }
        let file = try JPEGEncoder.encode(gray, quality: quality, progressive: true)
        var options = DecodingOptions(targetSize: PixelSize(width: 20, height: 20))
        options.acceptsTruncation = true
        let end = try #require(ArrivingFile(name: "gray", bytes: file).scanEnds.first)

        let image = try JPEGDecoder().decode(Array(file.prefix(end + 2)), options: options)

        #expect(Self.colorfulness(image.pixels) == 0)
    }

    /// The quantizer is 13 at quality 60, and 22 at quality 40.
    @Test(arguments: [(60, true), (40, false)])
    func `after the first scan, an image is final if the last bit is not visible`(
        quality: Int,
        isFinal: Bool
    ) throws {
        let bytes = try JPEGEncoder.encode(.scenery, quality: quality, progressive: true)
        let file = ArrivingFile(name: "scenery", bytes: bytes)
        var options = DecodingOptions(targetSize: PixelSize(width: 20, height: 20))
        options.acceptsTruncation = true
        let ends = file.scanEnds

        let first = try JPEGDecoder().decode(file.prefix(ends[0] + 2), options: options)
        let seventh = try JPEGDecoder().decode(file.prefix(ends[6] + 2), options: options)
        let reference = try Self.image(.scenery, quality, 20, isProgressive: false)

        #expect(first.isFinal == isFinal)
        #expect(seventh.isFinal)
        #expect(first.pixels.signalToNoise(against: reference) > (isFinal ? 48 : 42))
        for channel in 0..<3 {
            let shift = Self.mean(first.pixels, channel) - Self.mean(reference, channel)
            #expect(abs(shift) < (isFinal ? 0.5 : 0.8), "channel \(channel)")
        }
    }

    // MARK: - Helpers

    private static func image(
        _ picture: PixelBuffer,
        _ quality: Int,
        _ side: Int,
        isProgressive: Bool = true
    ) throws -> PixelBuffer {
        let file = try JPEGEncoder.encode(picture, quality: quality, progressive: isProgressive)
        let options = DecodingOptions(targetSize: PixelSize(width: side, height: side))
        return try JPEGDecoder().decode(file, options: options).pixels
    }

    private static func mean(_ picture: PixelBuffer, _ channel: Int) -> Double {
        let samples = stride(from: channel, to: picture.bytes.count, by: 4)
        return samples.reduce(0.0) { $0 + Double(picture.bytes[$1]) }
            / Double(picture.size.pixelCount)
    }

    /// Returns the maximum difference between two channels of a pixel.
    private static func colorfulness(_ picture: PixelBuffer) -> Int {
        stride(from: 0, to: picture.bytes.count, by: 4).reduce(0) { most, start in
            let channels = picture.bytes[start..<start + 3]
            return max(most, Int(channels.max() ?? 0) - Int(channels.min() ?? 0))
        }
    }
}
