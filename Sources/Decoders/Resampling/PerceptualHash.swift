internal import Glibc

/// A 64-bit perceptual hash (pHash), based on the lowest frequencies of an image.
///
/// If two images look the same, few bits of their hashes differ.
///
/// The image is reduced to 32 by 32 gray pixels and transformed in both directions (DCT-II). Each
/// bit specifies whether one of the 8 by 8 lowest frequencies is above their median. The
/// frequencies are stored row by row; the first is in the highest bit. The method is from Zauner,
/// "Implementation and Benchmarking of Perceptual Image Hash Functions" (2010), in the variant of
/// Python's imagehash (`phash`), so the hashes can be compared with hashes from imagehash.
package struct PerceptualHash: Hashable, Sendable {
    package let bits: UInt64

    private static let side = 32
    private static let frequencyCount = 8

    /// Calculates the hash of an image, which must not be empty.
    ///
    /// If the image has alpha, it is blended over white.
    package init(of pixels: PixelBuffer) {
        let size = PixelSize(width: Self.side, height: Self.side)
        var gray = pixels.flattened().gray
        // Averaging two by two pixels does not affect such low frequencies.
        while min(gray.size.width, gray.size.height) >= 4 * Self.side { gray = gray.halved }
        gray = gray.lanczosResampled(to: size)
        let samples = stride(from: 0, to: gray.bytes.count, by: 4).map { Double(gray.bytes[$0]) }
        let frequencies = Self.lowFrequencies(of: samples)
        let sorted = frequencies.sorted()
        let median = (sorted[sorted.count / 2 - 1] + sorted[sorted.count / 2]) / 2
        bits = frequencies.reduce(0) { $0 << 1 | ($1 > median ? 1 : 0) }
    }

    /// The hash as sixteen lowercase hexadecimal digits.
    package var hexadecimal: String {
        let digits = String(bits, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func lowFrequencies(of samples: [Double]) -> [Double] {
        // Calculates the lowest frequencies along each row, then along the columns of the result.
        let rows = (0..<side).map { row in
            (0..<frequencyCount).map { frequency in
                (0..<side).reduce(0) { sum, column in
                    sum + samples[row * side + column] * cosines[frequency * side + column]
                }
            }
        }
        return (0..<frequencyCount).flatMap { vertical in
            (0..<frequencyCount).map { horizontal in
                (0..<side).reduce(0) { sum, row in
                    sum + rows[row][horizontal] * cosines[vertical * side + row]
                }
            }
        }
    }

    private static let cosines: [Double] = (0..<frequencyCount).flatMap { frequency in
        (0..<side).map { place in
            2 * cos(Double.pi * Double(frequency * (2 * place + 1)) / Double(2 * side))
        }
    }
}

extension PixelBuffer {
    /// The image converted to gray with the weights of ITU-R BT.601.
    fileprivate var gray: PixelBuffer {
        let levels = [UInt8](unsafeUninitializedCapacity: bytes.count) { output, count in
            let output = UnsafeMutableRawBufferPointer(output)
            bytes.withUnsafeBytes { bytes in
                for place in stride(from: 0, to: bytes.count, by: 4) {
                    let sum =
                        UInt32(bytes[place]) &* 19_595 &+ UInt32(bytes[place &+ 1]) &* 38_470
                        &+ UInt32(bytes[place &+ 2]) &* 7_471
                    let level = UInt8(truncatingIfNeeded: (sum &+ 0x8000) >> 16)
                    output.storeBytes(
                        of: SIMD4(level, level, level, 255),
                        toByteOffset: place,
                        as: SIMD4<UInt8>.self
                    )
                }
            }
            count = bytes.count
        }
        return PixelBuffer(size: size, bytes: levels, hasAlpha: false)
    }

    /// The gray image at half its width and height; each pixel is the average of two by two pixels.
    ///
    /// If the width or height is odd, the last column or row is dropped.
    fileprivate var halved: PixelBuffer {
        let half = PixelSize(width: size.width / 2, height: size.height / 2)
        let stride = size.width * 4
        let halves = [UInt8](unsafeUninitializedCapacity: half.pixelCount * 4) { output, count in
            let output = UnsafeMutableRawBufferPointer(output)
            bytes.withUnsafeBytes { bytes in
                for row in 0..<half.height {
                    for column in 0..<half.width {
                        let place = row &* 2 &* stride &+ column &* 8
                        let upper = UInt32(bytes[place]) &+ UInt32(bytes[place &+ 4])
                        let lower =
                            UInt32(bytes[place &+ stride]) &+ UInt32(bytes[place &+ stride &+ 4])
                        let level = UInt8(truncatingIfNeeded: (upper &+ lower &+ 2) >> 2)
                        output.storeBytes(
                            of: SIMD4(level, level, level, 255),
                            toByteOffset: (row &* half.width &+ column) &* 4,
                            as: SIMD4<UInt8>.self
                        )
                    }
                }
            }
            count = half.pixelCount * 4
        }
        return PixelBuffer(size: half, bytes: halves, hasAlpha: false)
    }
}
