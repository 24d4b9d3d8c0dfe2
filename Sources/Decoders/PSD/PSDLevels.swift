/// The samples of a row of a channel, reduced to 8 bits.
struct PSDLevels {
    private let samples: UnsafeBufferPointer<UInt8>
    private let depth: Int
    private let isLight: Bool

    /// Creates the levels for samples of `depth` bits.
    ///
    /// Samples of 32 bits are floating-point numbers. If `isLight` is true, they are linear light,
    /// which is encoded with the sRGB curve.
    init(_ samples: UnsafeBufferPointer<UInt8>, depth: Int, isLight: Bool = true) {
        self.samples = samples
        self.depth = depth
        self.isLight = isLight
    }

    subscript(column: Int) -> UInt8 {
        switch depth {
        case 8: samples[column]
        case 16: level(of: Int(samples[column * 2]) << 8 | Int(samples[column * 2 + 1]))
        default: level(ofFloatAt: column * 4)
        }
    }

    private func level(of sample: Int) -> UInt8 { UInt8((sample * 255 + 32_767) / 65_535) }

    private func level(ofFloatAt offset: Int) -> UInt8 {
        let bits = (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(samples[offset + $1]) }
        let value = Float(bitPattern: bits)
        // A comparison with NaN is false, so NaN becomes 0.
        let clipped = value > 0 ? min(value, 1) : 0
        guard isLight else { return UInt8((clipped * 255).rounded()) }
        return SRGBTransfer.coded[Int((clipped * Float(SRGBTransfer.white)).rounded())]
    }
}
