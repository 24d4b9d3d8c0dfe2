internal import Glibc

/// The curves of high dynamic range images (ITU-R BT.2100).
///
/// The light is compressed to the range of ordinary displays. The compression uses the largest of
/// red, green and blue, as in Chromium. Compressing each channel separately would make saturated
/// colors up to 60 levels too light.
enum HighDynamicRange: Equatable {
    /// PQ (SMPTE ST 2084).
    case perceptualQuantizer
    /// HLG on a display of 1,000 cd/m².
    case hybridLogGamma

    /// The luminance of white graphics and paper, in cd/m² (ITU-R BT.2408).
    private static let white = 203.0
    /// The luminance that is mapped to display white, in cd/m².
    private static let peak = 1_000.0
    /// The exponent of a display with a peak of 1,000 cd/m² (BT.2100, table 5).
    private static let systemGamma: Float = 1.2
    /// The luminance of the BT.2020 primaries.
    private static let luminances = SIMD4<Float>(0.2627, 0.6780, 0.0593, 0)

    /// Returns the compressed light of a gray `value`: 1 for the peak and about 0.5 for white.
    func light(of value: Double) -> Double {
        Double(compressed(SIMD4(repeating: Float(sceneLight(of: value)))).x)
    }

    /// Returns the light for one channel.
    ///
    /// For PQ, white is 1. For HLG, the result is the light in front of the camera, up to 1.
    func sceneLight(of value: Double) -> Double {
        switch self {
        case .perceptualQuantizer:
            let power = pow(value, 4096 / (2523.0 * 128))
            let ratio =
                max(0, power - 3424.0 / 4096) / (2413.0 / 4096 * 32 - 2392.0 / 4096 * 32 * power)
            return 10_000 * pow(ratio, 16_384 / 2610.0) / Self.white
        case .hybridLogGamma:
            return value <= 0.5
                ? value * value / 3
                : (exp((value - 0.559_910_73) / 0.178_832_77) + 0.284_668_92) / 12
        }
    }

    /// Compresses the light of a color, in the units of `sceneLight`, to at most about 1.
    ///
    /// The curve is Reinhard's ("Photographic tone reproduction for digital images", 2002, equation
    /// 4).
    @inline(__always)
    func compressed(_ scene: SIMD4<Float>) -> SIMD4<Float> {
        var light = scene
        if self == .hybridLogGamma {
            let luminance = (scene * Self.luminances).sum()
            guard luminance > 0 else { return .zero }
            light *= powf(luminance, Self.systemGamma - 1) * Float(Self.peak / Self.white)
        }
        let peak = Float(Self.peak / Self.white)
        let largest = max(light.x, light.y, light.z)
        return light * ((1 + largest / (peak * peak)) / (1 + largest))
    }
}
