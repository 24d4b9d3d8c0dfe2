internal import Decoders

/// The pixels of two images of the same size, in RGBA.
struct PixelPair {
    typealias Pixels = UnsafeBufferPointer<SIMD4<UInt8>>

    let first: Pixels
    let second: Pixels
    let size: PixelSize

    /// Calls `body` with the pixels of two images, which are valid only during the call.
    static func with<Result>(
        _ first: PixelBuffer,
        _ second: PixelBuffer,
        _ body: (PixelPair) -> Result
    ) -> Result {
        first.bytes.withUnsafeBytes { one in
            second.bytes.withUnsafeBytes { other in
                let (one, other) = (
                    one.bindMemory(to: SIMD4<UInt8>.self), other.bindMemory(to: SIMD4<UInt8>.self)
                )
                return body(PixelPair(first: one, second: other, size: first.size))
            }
        }
    }

    /// Returns the indices of the pixels in each row of an area.
    func rows(of area: PixelRect) -> [Range<Int>] {
        (area.y..<area.y + area.height).map { y in
            let start = y * size.width + area.x
            return start..<start + area.width
        }
    }

    /// Returns whether the pixels of both images are equal at some indices.
    func isEqual(at indices: Range<Int>) -> Bool {
        first[indices].elementsEqual(second[indices])
    }
}

/// The red, green and blue of a pixel on a white ground.
typealias OpaqueColor = SIMD3<UInt8>

extension OpaqueColor {
    /// Creates the color of an RGBA pixel on white, rounded to 8 bits per channel.
    ///
    /// Encoded sRGB values are mixed, as browsers do.
    @inline(__always)
    init(onWhite pixel: SIMD4<UInt8>) {
        self.init(pixel.x, pixel.y, pixel.z)
        guard pixel.w < 255 else { return }
        let alpha = Int32(pixel.w)
        let sum = SIMD3<Int32>(truncatingIfNeeded: self) &* alpha &+ (255 * (255 - alpha) + 127)
        self.init(truncatingIfNeeded: sum / 255)
    }
}
