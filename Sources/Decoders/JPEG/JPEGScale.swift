/// The fraction of the full size at which libjpeg decodes an image.
enum JPEGScale: Int, CaseIterable {
    /// The minimum pixel count of a target that is treated as a full screen (about 640 × 480).
    private static let screenPixelCount = 300_000

    case eighth = 8
    case quarter = 4
    case half = 2
    case full = 1

    /// Creates the smallest scale that keeps enough samples for `target`.
    ///
    /// At least two samples per target pixel are needed in each direction, and at least one sample
    /// of the component with the fewest samples. A DCT-scaled sample averages coded values instead
    /// of light, and with fewer samples, that error is visible (45 dB, compared to 57 dB with four
    /// times as many). The scales from 3/8 to 7/8 cost more than decoding at full size, because
    /// libjpeg-turbo has no SIMD code for them.
    ///
    /// One sample is enough if the target is as large as a screen, because the user then waits for
    /// the entire image. At 45 dB, errors are invisible unless the image is reduced to a very small
    /// size. One sample is also enough if `isCoarse` is true.
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

    /// Returns the size at which libjpeg decodes an image of `size` pixels at this scale.
    func applied(to size: PixelSize) -> PixelSize {
        PixelSize(
            width: (size.width + rawValue - 1) / rawValue,
            height: (size.height + rawValue - 1) / rawValue
        )
    }

    static func isScreen(_ target: PixelSize) -> Bool { target.pixelCount >= screenPixelCount }
}

/// The coefficients of a progressive file that are visible at a scale.
///
/// After the last scan that contains such coefficients, no more scans are read.
///
/// A target pixel is the average of at least two samples in each direction. At scale 1/4, it is
/// therefore the average of 8 to 16 image pixels in each direction, which contains little more than
/// the lowest cosine frequencies of a block. Low bits of a coefficient may also be missing; their
/// number depends on the coefficient's quantizer, which determines the value of a bit.
struct JPEGDetail: Equatable {
    /// The numbers of low bits that may be missing from a component's coefficients.
    struct MissingBits: Equatable {
        /// The number of missing low bits of the first coefficient, which is the mean of a block.
        let ofMean: Int
        /// The number of missing low bits of each of the other coefficients.
        let ofOthers: Int
    }

    /// The number of coefficients, in zigzag order, that each component needs.
    let coefficientCount: Int
    /// The numbers of low bits that may be missing from each component.
    let missingBits: [MissingBits]

    /// Creates the detail that is visible for `target`; returns nil if all coefficients are visible
    /// or the quantizers are unknown.
    ///
    /// All coefficients are visible, for example, if each target pixel is made from a single
    /// sample.
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

    /// The maximum change of the entire image, in sample levels, that missing bits may cause.
    ///
    /// libjpeg replaces the missing bits of a mean with 0, which darkens and tints the image.
    private static let maximumShift = 0.25
}

/// The quantizers of a component's coefficients.
struct JPEGQuantizer: Equatable {
    /// The quantizer of the first coefficient, which is the mean.
    ///
    /// One unit of the coefficient is worth an eighth of the quantizer in sample levels.
    let mean: Int
    /// The largest quantizer of the five lowest frequencies.
    let lowFrequencies: Int

    /// The maximum error of a sample, in levels, if missing bits are replaced with their average
    /// value.
    ///
    /// Positive and negative errors partly cancel out, because a target pixel is the average of
    /// four or more samples.
    private static let maximumShift = 1.0
    /// The maximum number of missing bits; T.81 allows a point transform of up to 13.
    private static let maximumBitCount = 10

    /// The number of low bits that may be missing from a block's mean.
    ///
    /// The missing bits are replaced with their average value.
    var missingBitCountOfMean: Int { missingBitCount(shift: Self.maximumShift) }

    /// Returns the number of low bits that may be missing from the means if this changes the means
    /// by at most `shift` levels on average.
    ///
    /// The value of `n` bits is at most 2ⁿ - 1, and half of that on average. One unit of a
    /// coefficient is worth an eighth of the quantizer.
    fileprivate func missingBitCount(shift: Double) -> Int {
        (0...Self.maximumBitCount).last { Double(mean * (1 << $0 - 1)) / 16 <= shift } ?? 0
    }

    /// The number of low bits that may be missing from the low-frequency coefficients except the
    /// mean.
    ///
    /// The mean square of `n` bits is (2ⁿ - 1)(2ⁿ⁺¹ - 1)/6. The mean square of a sample is a 64th
    /// of the sum over the coefficients. If bits are missing from all five coefficients, a mean
    /// square of 72 for each of them keeps 40 dB; most of the coefficients are zero. One missing
    /// bit with a quantizer of 12, which is used at quality 75, or two missing bits with a
    /// quantizer of 4 reach this value.
    var missingBitCountOfLowFrequencies: Int {
        (0...Self.maximumBitCount).last { count in
            let square = lowFrequencies * lowFrequencies
            return square * ((1 << count) - 1) * ((2 << count) - 1) <= 6 * 72
        } ?? 0
    }
}

/// Tracks the coefficient bits that have been received (T.81, G.1.1.1).
///
/// The check is stricter than in libjpeg. If a scan repeats or skips bits, libjpeg only warns and
/// continues. If some bits of a file are never received, libjpeg smooths the blocks of the file.
struct JPEGScanProgress {
    /// The lowest received bit of each coefficient of each component, or nil if no bit has been
    /// received.
    private var lowBits: [[UInt8?]]

    init(componentCount: Int) {
        lowBits = Array(repeating: Array(repeating: nil, count: 64), count: componentCount)
    }

    /// Records a scan; returns false if the scan repeats or skips bits.
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

    /// Whether at least the first bits of each DC value have been received.
    var hasDC: Bool { !lowBits.isEmpty && lowBits.allSatisfy { $0[0] != nil } }

    /// Returns whether all DC bits that are visible with `quantizers` (one per component) have been
    /// received.
    func hasDC(shownBy quantizers: [JPEGQuantizer]) -> Bool {
        hasDC
            && zip(lowBits, quantizers).allSatisfy { bits, quantizer in
                bits[0] ?? .max <= quantizer.missingBitCountOfMean
            }
    }

    /// Returns whether the scans contain everything that `detail` requires.
    func has(_ detail: JPEGDetail) -> Bool {
        lowBits.count == detail.missingBits.count && !lowBits.isEmpty
            && zip(lowBits, detail.missingBits).allSatisfy { bits, missing in
                bits[0] ?? .max <= missing.ofMean
                    && bits[1..<detail.coefficientCount].allSatisfy {
                        $0 ?? .max <= missing.ofOthers
                    }
            }
    }

    /// Whether all bits of all coefficients have been received.
    var isComplete: Bool { lowBits.allSatisfy { $0.allSatisfy { $0 == 0 } } }
}
