import Decoders
import Foundation
import PropertyRuns
import Testing

@testable import TerminalUI

/// The sample pictures of the repository, and pictures made of numbers.
enum Pictures {
    /// A thumbnail's usual size.
    static let thumbnail = PixelSize(width: 190, height: 220)

    /// One sample picture of each kind that comes as JPEG, cut to a thumbnail's shape.
    ///
    /// Under a sanitizer, which looks for something else and makes each twenty times dearer, four.
    static let samples: [String: PixelBuffer] = {
        let folder = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("sample-feeds/pictures")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        var pictures: [String: PixelBuffer] = [:]
        let limit = PropertyRuns.isSanitized ? 4 : Int.max
        for name in names.sorted() where name.hasSuffix(".jpg") && pictures.count < limit {
            let kind = String(name.prefix { $0 != "-" })
            let path = folder.appendingPathComponent(name).path
            guard pictures[kind] == nil, let data = FileManager.default.contents(atPath: path)
            else { continue }
            pictures[kind] = try? thumbnail(of: Array(data))
        }
        return pictures
    }()

    private static func thumbnail(of file: [UInt8]) throws -> PixelBuffer {
        let pixels = try decoded(file)
        let size = pixels.size
        let width = min(size.width, size.height * thumbnail.width / thumbnail.height)
        let height = min(size.height, size.width * thumbnail.height / thumbnail.width)
        let crop = PixelRect(
            x: (size.width - width) / 2,
            y: (size.height - height) / 2,
            width: width,
            height: height
        )
        return opaque(pixels.resampled(to: thumbnail, from: crop))
    }

    /// Decodes a file with the decoders, including libpng and libjpeg.
    static func decoded(_ file: [UInt8]) throws -> PixelBuffer {
        try DecoderRegistry.standard.decode(file, options: DecodingOptions()).pixels
    }

    /// A picture whose pixels are made one by one.
    static func make(
        width: Int,
        height: Int,
        _ pixel: (Int, Int) -> (UInt8, UInt8, UInt8)
    ) -> PixelBuffer {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * 4)
        for y in 0..<height {
            for x in 0..<width {
                let (red, green, blue) = pixel(x, y)
                bytes.append(red)
                bytes.append(green)
                bytes.append(blue)
                bytes.append(255)
            }
        }
        let size = PixelSize(width: width, height: height)
        return PixelBuffer(size: size, bytes: bytes, hasAlpha: false)
    }

    /// Returns random pixels, which are the same in every run; with `colorCount` colors if
    /// specified.
    static func noise(width: Int, height: Int, colorCount: Int? = nil, seed: UInt64) -> PixelBuffer
    {
        var state = seed
        func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
        let palette = (0..<(colorCount ?? 1)).map { _ in next() }
        return make(width: width, height: height) { _, _ in
            let value = colorCount == nil ? next() : palette[Int(next()) % palette.count]
            return (UInt8(value & 255), UInt8(value >> 8 & 255), UInt8(value >> 16 & 255))
        }
    }

    /// Returns a color gradient with a dark square.
    static func scene(width: Int, height: Int) -> PixelBuffer {
        make(width: width, height: height) { x, y in
            let isSquare =
                (width / 4..<width / 2).contains(x) && (height / 4..<height / 2).contains(y)
            if isSquare { return (20, 30, 60) }
            return (UInt8(x * 255 / width), UInt8(y * 255 / height), UInt8((x + y) % 256 / 4 + 90))
        }
    }

    private static func opaque(_ pixels: PixelBuffer) -> PixelBuffer {
        PixelBuffer(size: pixels.size, bytes: pixels.bytes, hasAlpha: false)
    }
}

/// Returns the peak signal-to-noise ratio of two images in decibels; infinite if they are equal.
func peakSignalToNoise(_ one: PixelBuffer, _ other: PixelBuffer) -> Double {
    precondition(one.size == other.size, "\(one.size) and \(other.size) don't compare")
    var sum = 0
    // Uses indices, because this is the innermost loop of tests that are compiled without
    // optimization.
    one.bytes.withUnsafeBufferPointer { one in
        other.bytes.withUnsafeBufferPointer { other in
            var index = 0
            while index < one.count {
                if index % 4 != 3 {
                    let difference = Int(one[index]) - Int(other[index])
                    sum += difference * difference
                }
                index += 1
            }
        }
    }
    let mean = Double(sum) / Double(one.size.pixelCount * 3)
    return 10 * log10(255 * 255 / mean)
}

extension PixelBuffer {
    /// R, G, B of all pixels.
    var samples: [UInt8] {
        var samples: [UInt8] = []
        samples.reserveCapacity(bytes.count / 4 * 3)
        var index = 0
        while index + 2 < bytes.count {
            samples.append(bytes[index])
            samples.append(bytes[index + 1])
            samples.append(bytes[index + 2])
            index += 4
        }
        return samples
    }
}

extension [Double] {
    var median: Double { sorted()[count / 2] }
}
