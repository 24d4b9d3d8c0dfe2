/// Converts samples other than 8-bit RGB and RGBA to R, G, B, A.
///
/// The results are the same as those of libpng. 16-bit samples are rounded to the nearest 8-bit
/// values. If the file specifies a transparent color, pixels of that color become transparent.
///
/// The caller must check the bounds of all pointers. The source must contain the bytes of a row and
/// two more bytes, which are read but not used. The output must have room for the pixels of the
/// row.
struct SampleExpansion {
    let layout: PNGLayout

    /// Converts the pixels of one row.
    func expand(_ source: UnsafePointer<UInt8>, into output: UnsafeMutablePointer<UInt32>) {
        switch layout.color {
        case .indexed(let bitCount): look(up: source, bitCount: bitCount, into: output)
        case .samples(1, _): expand(source, into: output, byteCount: 2) { wideGray($0) }
        case .samples(2, isWide: true):
            expand(source, into: output, byteCount: 4) { wideGrayAlpha($0) }
        case .samples(2, isWide: false):
            expand(source, into: output, byteCount: 2) { narrowGrayAlpha($0) }
        case .samples(3, _): expand(source, into: output, byteCount: 6) { wideRGB($0) }
        case .samples: expand(source, into: output, byteCount: 8) { wideRGBA($0) }
        case .rgb, .rgba: break
        }
    }

    private func look(
        up source: UnsafePointer<UInt8>,
        bitCount: Int,
        into output: UnsafeMutablePointer<UInt32>
    ) {
        let perByte = 8 / bitCount
        let mask = UInt8(truncatingIfNeeded: 1 << bitCount - 1)
        layout.table.withUnsafeBufferPointer { table in
            // The table has a color for every value of `mask`, so no index is out of bounds.
            guard let colors = table.baseAddress, table.count > Int(mask) else { return }
            guard bitCount < 8 else {
                for index in 0..<layout.size.width { output[index] = colors[Int(source[index])] }
                return
            }
            for index in 0..<layout.size.width {
                let shift = 8 &- bitCount &* (index % perByte &+ 1)
                output[index] = colors[Int(source[index / perByte] &>> UInt8(shift) & mask)]
            }
        }
    }

    @inline(__always)
    private func expand(
        _ source: UnsafePointer<UInt8>,
        into output: UnsafeMutablePointer<UInt32>,
        byteCount: Int,
        pixel: (UnsafeRawPointer) -> UInt32
    ) {
        for index in 0..<layout.size.width {
            output[index] = pixel(UnsafeRawPointer(source) + index &* byteCount)
        }
    }

    @inline(__always)
    private func narrowGrayAlpha(_ pixel: UnsafeRawPointer) -> UInt32 {
        let stored = UInt32(UInt16(littleEndian: pixel.loadUnaligned(as: UInt16.self)))
        return (stored & 0xFF) &* 0x10101 | (stored &>> 8) &<< 24
    }

    @inline(__always)
    private func wideGray(_ pixel: UnsafeRawPointer) -> UInt32 {
        let gray = UInt16(bigEndian: pixel.loadUnaligned(as: UInt16.self))
        return narrowed(SIMD4(gray, gray, gray, .max))
    }

    @inline(__always)
    private func wideGrayAlpha(_ pixel: UnsafeRawPointer) -> UInt32 {
        let stored = UInt32(bigEndian: pixel.loadUnaligned(as: UInt32.self))
        let gray = UInt16(truncatingIfNeeded: stored &>> 16)
        return narrowed(SIMD4(gray, gray, gray, UInt16(truncatingIfNeeded: stored)))
    }

    @inline(__always)
    private func wideRGB(_ pixel: UnsafeRawPointer) -> UInt32 {
        var samples = wideSamples(pixel)
        samples.w = .max
        return narrowed(samples)
    }

    @inline(__always)
    private func wideRGBA(_ pixel: UnsafeRawPointer) -> UInt32 { narrowed(wideSamples(pixel)) }

    @inline(__always)
    private func wideSamples(_ pixel: UnsafeRawPointer) -> SIMD4<UInt16> {
        let stored = pixel.loadUnaligned(as: SIMD4<UInt16>.self)
        return stored &<< 8 | stored &>> 8
    }

    /// Rounds 16-bit samples to the nearest 8-bit values, v / 257.
    ///
    /// The calculation (v - round(v / 256) + 128) / 256 fits into 16 bits and is correct for all
    /// 65,536 values.
    @inline(__always)
    private func narrowed(_ samples: SIMD4<UInt16>) -> UInt32 {
        let part = ((samples &>> 7) &+ 1) &>> 1
        let bytes = (samples &- part &+ 128) &>> 8
        let pixel = unsafeBitCast(SIMD4<UInt8>(truncatingIfNeeded: bytes), to: UInt32.self)
        guard let hole = layout.transparentColor, hole.x == samples.x, hole.y == samples.y,
            hole.z == samples.z
        else { return pixel }
        return pixel & 0xFF_FFFF
    }
}
