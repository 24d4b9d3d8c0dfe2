/// Makes R, G, B, A of samples that are not 8-bit RGB or RGBA, as libpng does: 16 bits to the
/// nearest of 8, one colour transparent where the file says so.
///
/// Works on pointers that its caller has checked: as many bytes as a row has, room for `count`
/// pixels.
struct SampleExpansion {
    private static let opaque: UInt32 = 0xFF00_0000

    let layout: PNGLayout

    /// Makes the pixels of one row.
    func expand(_ source: UnsafePointer<UInt8>, into output: UnsafeMutablePointer<UInt32>) {
        let count = layout.size.width
        switch layout.color {
        case .indexed(let bitCount): look(up: source, bitCount: bitCount, into: output)
        case .samples(let sampleCount, let isWide):
            for index in 0..<count {
                output[index] =
                    isWide
                    ? wide(source + index &* sampleCount &* 2, sampleCount)
                    : narrow(source + index &* sampleCount, sampleCount)
            }
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
            // As many colours as `mask` can tell apart; so no index is out of bounds.
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

    /// Grey and alpha: the only 8-bit pixels that are neither indexed nor RGB nor RGBA.
    private func narrow(_ pixel: UnsafePointer<UInt8>, _ sampleCount: Int) -> UInt32 {
        UInt32(pixel[0]) &* 0x10101 | UInt32(pixel[sampleCount &- 1]) &<< 24
    }

    private func wide(_ pixel: UnsafePointer<UInt8>, _ sampleCount: Int) -> UInt32 {
        var samples = SIMD4<UInt16>(repeating: .max)
        for index in 0..<sampleCount {
            samples[index] = UInt16(pixel[index &* 2]) &<< 8 | UInt16(pixel[index &* 2 &+ 1])
        }
        if sampleCount < 3 {
            let alpha = sampleCount == 2 ? samples.y : .max
            samples = SIMD4(samples.x, samples.x, samples.x, alpha)
        }
        if let hole = layout.transparentColor, samples.x == hole.x, samples.y == hole.y,
            samples.z == hole.z
        {
            samples.w = 0
        }
        // Rounded to the nearest: 255 / 65535 is 1 / 257.
        let bytes = (SIMD4<UInt32>(truncatingIfNeeded: samples) &* 255 &+ 32_895) &>> 16
        return bytes.x | bytes.y &<< 8 | bytes.z &<< 16 | bytes.w &<< 24
    }
}
