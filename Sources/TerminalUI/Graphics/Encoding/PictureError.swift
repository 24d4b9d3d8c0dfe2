internal import Decoders

/// The visible difference between an image and the terminal's version of it.
///
/// The error is the sum of the squared differences of single samples, plus three times the squared
/// differences of the means of blocks of 4×4 pixels. At a normal viewing distance, noise that
/// preserves the mean is hardly visible, whereas a gradient that becomes a uniform patch is.
enum PictureError {
    private static let blockSide = 4
    private static let blockWeight = 3.0

    /// Returns the mean error of a sample.
    ///
    /// `shown` contains red, green and blue samples for each pixel of `pixels`.
    static func between(_ shown: [UInt8], _ pixels: PixelBuffer) -> Double {
        let (width, height) = (pixels.size.width, pixels.size.height)
        precondition(shown.count == width * height * 3, "another size")
        var sum = 0.0
        shown.withUnsafeBufferPointer { shown in
            pixels.bytes.withUnsafeBufferPointer { bytes in
                for top in stride(from: 0, to: height, by: blockSide) {
                    for left in stride(from: 0, to: width, by: blockSide) {
                        let right = min(left + blockSide, width)
                        let bottom = min(top + blockSide, height)
                        var (squares, total) = (SIMD3<Int32>.zero, SIMD3<Int32>.zero)
                        for y in top..<bottom {
                            for x in left..<right {
                                let (one, other) = ((y * width + x) * 3, (y * width + x) * 4)
                                let difference = SIMD3(
                                    Int32(shown[one]) - Int32(bytes[other]),
                                    Int32(shown[one + 1]) - Int32(bytes[other + 1]),
                                    Int32(shown[one + 2]) - Int32(bytes[other + 2])
                                )
                                squares &+= difference &* difference
                                total &+= difference
                            }
                        }
                        let count = Double((right - left) * (bottom - top))
                        let means = Double((total &* total).wrappedSum()) / count
                        sum += Double(squares.wrappedSum()) + blockWeight * means
                    }
                }
            }
        }
        return sum / Double(width * height * 3)
    }
}
