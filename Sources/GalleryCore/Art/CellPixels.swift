/// The pixels of one cell, channel by channel: up to eight, the first at the upper left.
struct CellPixels {
    private(set) var red = SIMD8<Float>()
    private(set) var green = SIMD8<Float>()
    private(set) var blue = SIMD8<Float>()

    /// No pixels yet: all are black.
    init() {}

    /// The pixel at a place.
    subscript(index: Int) -> SIMD4<UInt8> {
        get {
            SIMD4(UInt8(red[index]), UInt8(green[index]), UInt8(blue[index]), 255)
        }
        set {
            red[index] = Float(newValue.x)
            green[index] = Float(newValue.y)
            blue[index] = Float(newValue.z)
        }
    }

    /// The channels stretched, so that plain squared distances become weighted ones.
    func scaled(red: Float, green: Float, blue: Float) -> CellPixels {
        var scaled = self
        scaled.red *= red
        scaled.green *= green
        scaled.blue *= blue
        return scaled
    }
}

/// Colours of a group of pixels.
extension CellPixels {
    /// The mean colour of the pixels whose bits are set; black for none.
    ///
    /// The mean of the values as they are coded, which is the colour of least squared error; in
    /// linear light it would be brighter, but pixels of one group differ little.
    func mean(of pattern: Int) -> RGB {
        var sum = SIMD4<Float>()
        var rest = pattern
        while rest != 0 {
            let pixel = rest.trailingZeroBitCount
            sum += SIMD4(red[pixel], green[pixel], blue[pixel], 1)
            rest &= rest - 1
        }
        guard sum.w > 0 else { return RGB(red: 0, green: 0, blue: 0) }
        let mean = (sum / sum.w).rounded(.toNearestOrAwayFromZero)
        return RGB(red: Int(mean.x), green: Int(mean.y), blue: Int(mean.z))
    }
}
