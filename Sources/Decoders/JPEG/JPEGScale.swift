/// At which fraction of its size libjpeg is to hand a JPEG out.
enum JPEGScale: Int, CaseIterable {
    /// From so many pixels on a target counts as a screen: 640 by 480.
    private static let screenPixelCount = 300_000

    case eighth = 8
    case quarter = 4
    case half = 2
    case full = 1

    /// The smallest scale that keeps at least two samples per target pixel each way, and one of the
    /// most coarsely sampled component.
    ///
    /// Two, because a DCT-scaled sample averages coded values, not light: with fewer samples that
    /// error shows (45 dB against 57 dB at four times as many). The scales between, 3/8 to 7/8,
    /// cost more than decoding in full: libjpeg-turbo has no SIMD code for them.
    ///
    /// Of a target as large as a screen somebody waits for the whole, and one sample is enough: 45 dB are
    /// more than is seen where a picture is not reduced to a stamp. So it is with `isCoarse`.
    init(
        from size: PixelSize,
        to target: PixelSize,
        coarsestSampling: PixelSize,
        isCoarse: Bool = false
    ) {
        let isEnough = isCoarse || Self.isScreen(target)
        let width = target.width * (isEnough ? 1 : max(2, coarsestSampling.width))
        let height = target.height * (isEnough ? 1 : max(2, coarsestSampling.height))
        self =
            Self.allCases.first { scale in
                size.width / scale.rawValue >= width && size.height / scale.rawValue >= height
            } ?? .full
    }

    /// The size that libjpeg makes of a picture.
    func applied(to size: PixelSize) -> PixelSize {
        PixelSize(
            width: (size.width + rawValue - 1) / rawValue,
            height: (size.height + rawValue - 1) / rawValue
        )
    }

    static func isScreen(_ target: PixelSize) -> Bool { target.pixelCount >= screenPixelCount }
}

/// Which coefficients of a progressive file show at a scale; the scans behind those that bring them
/// are not read.
///
/// A target pixel is the average of at least two samples each way, so at a quarter of 8 to 16
/// pixels: of a cosine over a block little more than the lowest frequencies is left of it. How many
/// of the low bits of a coefficient may be missing depends on its quantiser, on what a bit is worth.
struct JPEGDetail: Equatable {
    /// The low bits of a component that need not have come.
    struct MissingBits: Equatable {
        /// Of the first coefficient, the mean.
        let ofMean: Int
        /// Of the others.
        let ofOthers: Int
    }

    /// The first ones of each component, in zigzag order.
    let coefficientCount: Int
    /// One for each component.
    let missingBits: [MissingBits]

    /// Nil where all of them show, as where a sample is a target pixel, or nothing is known of the
    /// quantisers.
    init?(at scale: JPEGScale, target: PixelSize, quantizers: [JPEGQuantizer]?) {
        guard let quantizers, scale != .full, !JPEGScale.isScreen(target) else { return nil }
        let isHalf = scale == .half
        coefficientCount = isHalf ? 64 : 6
        missingBits = quantizers.map { quantizer in
            MissingBits(
                ofMean: isHalf ? 0 : quantizer.missingBitCount(shift: Self.maximumShift),
                ofOthers: min(isHalf ? 1 : 10, quantizer.missingBitCountOfLowFrequencies)
            )
        }
    }

    /// By how many levels all of the picture may be off: libjpeg takes bits that are missing of a mean
    /// for 0, so that all of it is darker, and tinted.
    private static let maximumShift = 0.25
}

/// What the coefficients of a component are quantised with.
struct JPEGQuantizer: Equatable {
    /// The first coefficient's, the mean's: an eighth of it is a level of the samples.
    let mean: Int
    /// The coarsest of the five lowest frequencies'.
    let lowFrequencies: Int

    /// By how many levels a sample may be off at most where the mean of the missing bits is taken for
    /// them; samples are so in either direction, and a target pixel is the average of four or more.
    private static let maximumShift = 1.0
    /// T.81 has 13 for what a point transform leaves out.
    private static let maximumBitCount = 10

    /// How many of the lowest bits of means may be missing where their own mean is taken for them.
    var missingBitCountOfMean: Int { missingBitCount(shift: Self.maximumShift) }

    /// How many of the lowest bits of means may be missing without moving them by more levels on
    /// average than `shift`: of `n` bits 2ⁿ - 1 may be the value, half of that is the mean, and an
    /// eighth of the quantiser is what one of it is worth.
    fileprivate func missingBitCount(shift: Double) -> Int {
        (0...Self.maximumBitCount).last { Double(mean * (1 << $0 - 1)) / 16 <= shift } ?? 0
    }

    /// How many of the lowest bits of other coefficients may be missing.
    ///
    /// The mean square of `n` bits is (2ⁿ - 1)(2ⁿ⁺¹ - 1)/6, and of a sample it is a 64th of the sum
    /// over the coefficients: 72, for each of the five, keeps 40 dB if all of them have such bits;
    /// most are zero. One bit of a quantiser of 12 is as much, which is quality 75, and two of 4.
    var missingBitCountOfLowFrequencies: Int {
        (0...Self.maximumBitCount).last { count in
            let square = lowFrequencies * lowFrequencies
            return square * ((1 << count) - 1) * ((2 << count) - 1) <= 6 * 72
        } ?? 0
    }
}

/// Which bits of which coefficients the scans have brought (T.81, G.1.1.1).
///
/// Holds a file to the rules more strictly than libjpeg, which warns and goes on, and smooths the
/// blocks of a file some of whose bits never come.
struct JPEGScanProgress {
    /// For each component and coefficient the lowest bit that has come; nil before the first.
    private var lowBits: [[UInt8?]]

    init(componentCount: Int) {
        lowBits = Array(repeating: Array(repeating: nil, count: 64), count: componentCount)
    }

    /// Takes note of a scan; false if it repeats or misses bits.
    mutating func add(_ scan: JPEGScan) -> Bool {
        let (start, end) = (Int(scan.spectralStart), Int(scan.spectralEnd))
        guard start <= end, end < 64 else { return false }
        for part in scan.parts {
            for coefficient in start...end {
                let before = lowBits[part.component][coefficient]
                guard before == nil ? scan.approximationHigh == 0 : isRefinement(scan, of: before)
                else { return false }
                lowBits[part.component][coefficient] = scan.approximationLow
            }
        }
        return true
    }

    private func isRefinement(_ scan: JPEGScan, of lowBit: UInt8?) -> Bool {
        lowBit == scan.approximationHigh && scan.approximationHigh == scan.approximationLow + 1
    }

    /// Whether some bits of all DC values have come.
    var hasDC: Bool { !lowBits.isEmpty && lowBits.allSatisfy { $0[0] != nil } }

    /// Whether all bits of them have come that show with these quantisers, one for each component.
    func hasDC(shownBy quantizers: [JPEGQuantizer]) -> Bool {
        hasDC
            && zip(lowBits, quantizers).allSatisfy { bits, quantizer in
                bits[0] ?? .max <= quantizer.missingBitCountOfMean
            }
    }

    /// Whether the scans have brought what `detail` asks for.
    func has(_ detail: JPEGDetail) -> Bool {
        lowBits.count == detail.missingBits.count && !lowBits.isEmpty
            && zip(lowBits, detail.missingBits).allSatisfy { bits, missing in
                bits[0] ?? .max <= missing.ofMean
                    && bits[1..<detail.coefficientCount].allSatisfy {
                        $0 ?? .max <= missing.ofOthers
                    }
            }
    }

    /// Whether nothing is missing.
    var isComplete: Bool { lowBits.allSatisfy { $0.allSatisfy { $0 == 0 } } }
}
