import Decoders

/// Files with random samples, and their pixels, computed without a decoder.
struct PNGSample {
    var type: PNGFile.ColorType
    var depth: Int
    var width = 13
    var height = 11
    var isInterlaced = false

    /// All combinations of type and depth.
    static let kinds = PNGFile.ColorType.allCases.flatMap { type in
        type.depths.map { PNGSample(type: type, depth: $0) }
    }

    private var values: [[Int]] {
        var generator = SeededGenerator(seed: UInt64(depth))
        return (0..<width * height).map { _ in
            (0..<type.channelCount).map { _ in Int.random(in: 0..<1 << depth, using: &generator) }
        }
    }

    private var palette: [Pixel] {
        (UInt8.min...UInt8(1 << min(depth, 8) - 1)).map { Pixel($0, 255 - $0, $0 / 2) }
    }

    /// The file.
    var file: PNGFile {
        let values = values
        var file = PNGFile(
            colorType: type,
            depth: depth,
            isInterlaced: isInterlaced,
            width: width,
            height: height
        ) { values[$1 * width + $0] }
        if type == .palette {
            file.chunks = [("PLTE", palette.flatMap { [$0.red, $0.green, $0.blue] })]
        }
        return file
    }

    /// The expected pixels.
    var pixels: PixelBuffer {
        let (values, palette) = (values, palette)
        return PixelBuffer(width: width, height: height) { x, y in
            let samples = values[y * width + x]
            guard type != .palette else { return palette[samples[0]] }
            let bytes = samples.map(scaled)
            return switch type {
            case .gray: Pixel(bytes[0], bytes[0], bytes[0])
            case .grayAlpha: Pixel(bytes[0], bytes[0], bytes[0], bytes[1])
            case .rgba: Pixel(bytes[0], bytes[1], bytes[2], bytes[3])
            default: Pixel(bytes[0], bytes[1], bytes[2])
            }
        }
    }

    /// A sample as 8 bits, rounded.
    private func scaled(_ sample: Int) -> UInt8 {
        let maximum = (1 << depth) - 1
        return UInt8((sample * 255 + maximum / 2) / maximum)
    }
}
