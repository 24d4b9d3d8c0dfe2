internal import Glibc

/// The light of high dynamic range images (ITU-R BT.2100) and its compression to the range of
/// ordinary displays.
struct HighDynamicRange: Equatable {
    /// A function that maps coded values to light.
    enum Signal: Equatable {
        /// PQ (SMPTE ST 2084).
        case perceptualQuantizer
        /// HLG on a display of 1,000 cd/m².
        case hybridLogGamma
    }

    /// The luminance of white graphics and paper, in cd/m² (ITU-R BT.2408).
    static let white = 203.0
    /// The peak luminance of an image that does not specify one, in cd/m².
    static let usualPeak = 1_000.0
    /// The exponent of a display with a peak of 1,000 cd/m² (BT.2100, table 5).
    private static let systemGamma: Float = 1.2

    private let signal: Signal
    private let mapping: ToneMapping?
    /// The luminance of each primary of the image.
    private let luminances: SIMD4<Float>
    /// The columns of the matrix that converts the image's light to BT.2020.
    private let wideRed: SIMD4<Float>
    private let wideGreen: SIMD4<Float>
    private let wideBlue: SIMD4<Float>

    /// Creates the light of an image with these primaries and this peak luminance, in cd/m².
    ///
    /// Returns nil if the primaries are not usable.
    init?(_ signal: Signal, primaries: Chromaticities, peak: Double) {
        guard let own = primaries.xyz, let toWide = Chromaticities.bt2020.xyz?.inverse else {
            return nil
        }
        self.signal = signal
        mapping = ToneMapping(peak: peak / Self.white)
        luminances = SIMD4(SIMD3<Float>(SIMD3(own.columns.map(\.y))), 0)
        let wide = (toWide * own).columns.map { SIMD4(SIMD3<Float>($0), 0) }
        (wideRed, wideGreen, wideBlue) = (wide[0], wide[1], wide[2])
    }

    /// Returns the compressed light of a gray `value`; 1 is display white.
    func light(of value: Double) -> Double {
        Double(compressed(SIMD4(repeating: Float(sceneLight(of: value)))).x)
    }

    /// Returns the light for one channel.
    ///
    /// For PQ, white is 1. For HLG, the result is the light in front of the camera, up to 1.
    func sceneLight(of value: Double) -> Double {
        switch signal {
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

    /// Compresses the light of a color, in the units of `sceneLight`; 1 is display white.
    ///
    /// The result has the primaries of the image, so a saturated color may exceed 1.
    @inline(__always)
    func compressed(_ scene: SIMD4<Float>) -> SIMD4<Float> {
        var light = scene
        if signal == .hybridLogGamma {
            let luminance = (scene * luminances).sum()
            guard luminance > 0 else { return .zero }
            let ratio = Float(Self.usualPeak / Self.white)
            light *= powf(luminance, Self.systemGamma - 1) * ratio
        }
        guard let mapping else { return light }
        let wide = wideRed * light.x + wideGreen * light.y + wideBlue * light.z
        return light * mapping.gain(of: max(wide.x, max(wide.y, wide.z)))
    }
}

/// The reference white tone mapping operator (SMPTE ST 2094-50) for a display without headroom.
///
/// White becomes darker, by at most half, so that the brighter colors fit above it. Chromium 156
/// uses this operator, with these eight points; its results for 1,024 colors differ by at most 3
/// levels (peak of 1,000 cd/m²).
struct ToneMapping: Equatable {
    private static let pointCount = 8
    /// The share of white, as opposed to the peak, in the middle of the curve.
    private static let shareOfWhite = 0.65

    /// The number of intervals of `gains`.
    ///
    /// Interpolating linearly changes no result by half a level.
    private static let intervalCount = 512

    /// The factors for light from white to the peak, equally spaced.
    private let gains: [Float]
    private let peak: Float
    private let intervalsPerLight: Float

    /// Creates the operator for an image with this peak luminance; white is 1.
    ///
    /// Returns nil if nothing is brighter than white.
    init?(peak: Double) {
        guard peak > 1 else { return nil }
        let usual = HighDynamicRange.usualPeak / HighDynamicRange.white
        let white = 1 - 0.5 * min(log2(peak) / log2(usual), 1)
        let share = Self.shareOfWhite
        // A quadratic Bézier curve from white to the peak, as a polynomial.
        let start = SIMD2(1, white)
        let middle = SIMD2(1 - share + share / white, (1 - share) * white + share)
        let (square, linear) = (start - 2 * middle + SIMD2(peak, 1), 2 * (middle - start))
        // For each point: the light, the binary logarithm of its gain, and the slope of the logarithm.
        let points = (0..<Self.pointCount).map { index in
            let t = Double(index) / Double(Self.pointCount - 1)
            let point = start + t * (linear + t * square)
            let direction = linear + 2 * t * square
            let slope =
                (point.x * direction.y / direction.x - point.y) / (log(2) * point.x * point.y)
            return SIMD3(point.x, log2(point.y / point.x), slope)
        }
        gains = (0...Self.intervalCount).map { index in
            let light = 1 + (peak - 1) * Double(index) / Double(Self.intervalCount)
            return Float(Self.gain(of: light, between: points))
        }
        self.peak = Float(peak)
        intervalsPerLight = Float(Double(Self.intervalCount) / (peak - 1))
    }

    /// Returns the factor for light from white to the peak by cubic Hermite interpolation.
    private static func gain(of light: Double, between points: [SIMD3<Double>]) -> Double {
        let index = points.dropFirst().dropLast().count { $0.x <= light }
        let (from, to) = (points[index], points[index + 1])
        let length = to.x - from.x
        let t = (light - from.x) / length
        let (rise, start, end) = (to.y - from.y, from.z * length, to.z * length)
        let cubic = start + end - 2 * rise
        let square = 3 * rise - 2 * start - end
        return exp2(((cubic * t + square) * t + start) * t + from.y)
    }

    /// Returns the factor for a color whose largest channel in BT.2020 is `light`.
    @inline(__always)
    func gain(of light: Float) -> Float {
        if light <= 1 { return gains[0] }
        if light >= peak { return gains[Self.intervalCount] * peak / light }
        let place = (light - 1) * intervalsPerLight
        let index = min(Int(place), Self.intervalCount - 1)
        let part = place - Float(index)
        return gains[index] + (gains[index + 1] - gains[index]) * part
    }
}
