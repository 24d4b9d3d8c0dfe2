internal import CImageCodecs

/// Turns rows of C, M, Y, K into R, G, B, 255 in place.
///
/// The plain product of what each ink lets through; profiles are not looked at. Files with an Adobe
/// marker store the light that is let through, others the ink.
enum InkConversion {
    static func convert(_ rows: UnsafeMutableBufferPointer<UInt8>, color: cic_jpeg_color) {
        guard color != .rgbx, let start = rows.baseAddress else { return }
        let mask: UInt8 = color == .cmyk ? 255 : 0
        var pixel = start
        for _ in 0..<rows.count / 4 {
            let key = UInt32(pixel[3] ^ mask)
            pixel[0] = product(pixel[0] ^ mask, key)
            pixel[1] = product(pixel[1] ^ mask, key)
            pixel[2] = product(pixel[2] ^ mask, key)
            pixel[3] = 255
            pixel += 4
        }
    }

    /// `light * key / 255`, rounded.
    @inline(__always)
    private static func product(_ light: UInt8, _ key: UInt32) -> UInt8 {
        UInt8(truncatingIfNeeded: (UInt32(light) &* key &+ 127) / 255)
    }
}
