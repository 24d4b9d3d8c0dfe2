/// Undoes a row's filter (PNG, 9.2) and writes its pixels as R, G, B, A in one pass.
///
/// Supports 8-bit RGB and RGBA. The caller must check the bounds of all pointers. Four samples form
/// one 64-bit value: SSE2, which is part of x86-64, and NEON process all four in each step. Four
/// bytes are read even for a 3-byte pixel, so one readable byte must follow the last row.
enum PixelFilter {
    /// A row to read, and the location to which its pixels are written.
    struct Row {
        /// The samples of the row, which follow the filter number.
        let source: UnsafePointer<UInt8>
        /// The pixels of the row above.
        let above: UnsafePointer<UInt32>
        /// The location where the pixels are written.
        let output: UnsafeMutablePointer<UInt32>
    }

    /// Four samples, wide enough for sums and differences.
    typealias Lanes = SIMD4<Int16>

    /// Returns the bits that must be set in each output pixel.
    ///
    /// If the stored pixels have no alpha, these bits form an alpha of 255; otherwise, the result
    /// is 0.
    @inline(__always)
    static func opacity(_ byteCount: Int) -> UInt32 { byteCount == 3 ? 0xFF00_0000 : 0 }

    /// Undoes filter 0, which stores the samples themselves.
    @inline(__always)
    static func none(_ row: Row, count: Int, byteCount: Int) {
        for index in 0..<count {
            row.output[index] = word(row.source, index &* byteCount) | opacity(byteCount)
        }
    }

    /// Undoes filter 1, which stores the difference from the pixel to the left.
    @inline(__always)
    static func sub(_ row: Row, count: Int, byteCount: Int) {
        var left = SIMD4<UInt8>(repeating: 0)
        for index in 0..<count {
            left &+= bytes(word(row.source, index &* byteCount))
            row.output[index] = word(left) | opacity(byteCount)
        }
    }

    /// Undoes filter 2, which stores the difference from the pixel above.
    @inline(__always)
    static func up(_ row: Row, count: Int, byteCount: Int) {
        for index in 0..<count {
            let sum = bytes(word(row.source, index &* byteCount)) &+ bytes(row.above[index])
            row.output[index] = word(sum) | opacity(byteCount)
        }
    }

    /// Undoes filter 3, which stores the difference from the mean of left and above, rounded down.
    @inline(__always)
    static func average(_ row: Row, count: Int, byteCount: Int) {
        var left = Lanes(repeating: 0)
        for index in 0..<count {
            let mean = (left &+ lanes(row.above[index])) &>> 1
            left = (lanes(word(row.source, index &* byteCount)) &+ mean) & 0xFF
            row.output[index] = word(left) | opacity(byteCount)
        }
    }

    /// Undoes filter 4, which stores the difference from the Paeth predictor.
    @inline(__always)
    static func paeth(_ row: Row, count: Int, byteCount: Int) {
        var (left, corner) = (Lanes(repeating: 0), Lanes(repeating: 0))
        for index in 0..<count {
            let above = lanes(row.above[index])
            let difference = lanes(word(row.source, index &* byteCount))
            left = (difference &+ PaethPredictor.predict(left, above, corner)) & 0xFF
            corner = above
            row.output[index] = word(left) | opacity(byteCount)
        }
    }

    /// Undoes filter 4 in two adjacent rows at the same time.
    ///
    /// Each pixel depends on the pixel to its left, and waiting for that pixel takes most of the
    /// time, so the lower row is processed at the same time, one pixel behind the upper row.
    /// `count` must not be 0.
    @inline(__always)
    static func paethPair(_ upper: Row, _ lower: Row, count: Int, byteCount: Int) {
        var corner = lanes(upper.above[0])
        // The first pixel of a row is predicted from the pixel above it.
        var left = (lanes(word(upper.source, 0)) &+ corner) & 0xFF
        upper.output[0] = word(left) | opacity(byteCount)
        var (lowerLeft, lowerCorner) = (Lanes(repeating: 0), Lanes(repeating: 0))
        for index in 1..<max(1, count) {
            let lowerDifference = lanes(word(lower.source, (index &- 1) &* byteCount))
            let lowerNearest = PaethPredictor.predict(lowerLeft, left, lowerCorner)
            lowerLeft = (lowerDifference &+ lowerNearest) & 0xFF
            lowerCorner = left
            let above = lanes(upper.above[index])
            let difference = lanes(word(upper.source, index &* byteCount))
            left = (difference &+ PaethPredictor.predict(left, above, corner)) & 0xFF
            corner = above
            lower.output[index &- 1] = word(lowerLeft) | opacity(byteCount)
            upper.output[index] = word(left) | opacity(byteCount)
        }
        let difference = lanes(word(lower.source, (count &- 1) &* byteCount))
        lowerLeft = (difference &+ PaethPredictor.predict(lowerLeft, left, lowerCorner)) & 0xFF
        lower.output[count &- 1] = word(lowerLeft) | opacity(byteCount)
    }

    // MARK: - Bytes and lanes

    @inline(__always)
    private static func word(_ source: UnsafePointer<UInt8>, _ offset: Int) -> UInt32 {
        UInt32(
            littleEndian: UnsafeRawPointer(source)
                .loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        )
    }

    @inline(__always)
    private static func word(_ bytes: SIMD4<UInt8>) -> UInt32 {
        unsafeBitCast(bytes, to: UInt32.self)
    }

    @inline(__always)
    private static func word(_ lanes: Lanes) -> UInt32 {
        word(SIMD4<UInt8>(truncatingIfNeeded: lanes))
    }

    @inline(__always)
    private static func bytes(_ word: UInt32) -> SIMD4<UInt8> {
        unsafeBitCast(word, to: SIMD4<UInt8>.self)
    }

    @inline(__always)
    private static func lanes(_ word: UInt32) -> Lanes {
        Lanes(truncatingIfNeeded: bytes(word))
    }
}

/// The predictor of filter 4 (PNG, 9.4): the left, upper or corner (upper left) neighbor.
///
/// The predictor is the value nearest to `left + above - corner`. If several values are equally
/// near, the first in the order left, above, corner is selected. Steps that depend on `left` must
/// wait for the previous pixel, so this calculation has few of them. Let t = 3 * corner - left -
/// above. If t is at least the larger of left and above, the predictor is the smaller of the two.
/// If t is at most the smaller, the predictor is the larger. Otherwise, it is the corner.
enum PaethPredictor {
    /// Returns the predictors of four samples at once, each from 0 to 255.
    ///
    /// Eight samples would not be faster, because the compiler splits such vectors.
    @inline(__always)
    static func predict(
        _ left: SIMD4<Int16>,
        _ above: SIMD4<Int16>,
        _ corner: SIMD4<Int16>
    ) -> SIMD4<Int16> {
        let turn = (corner &+ corner &+ corner &- above) &- left
        let smaller = pointwiseMin(left, above)
        let larger = pointwiseMax(left, above)
        let inner = corner.replacing(with: smaller, where: larger .<= turn)
        return inner.replacing(with: larger, where: turn .<= smaller)
    }

    /// Returns the predictor of one sample from 0 to 255.
    @inline(__always)
    static func predict(_ left: Int, _ above: Int, _ corner: Int) -> Int {
        let turn = (corner &+ corner &+ corner &- above) &- left
        let (smaller, larger) = (min(left, above), max(left, above))
        let inner = larger <= turn ? smaller : corner
        return turn <= smaller ? larger : inner
    }
}
