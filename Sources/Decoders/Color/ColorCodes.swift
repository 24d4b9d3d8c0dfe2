/// Converts ITU-T H.273 code points to color profiles.
///
/// Such code points are used, for example, in the cICP chunk of a PNG (PNG, third edition, section
/// 11.3.2.6). A code point identifies a set of primaries or a transfer function.
enum ColorCodes {
    /// Returns the profile with these primaries and this transfer function, or nil if either is not
    /// supported.
    ///
    /// Supports all primaries, and all transfer functions used by displays. `peak` is the luminance
    /// of the brightest color in an image of high dynamic range, in cd/m².
    static func profile(
        primaries: UInt8,
        transfer: UInt8,
        peak: Double = HighDynamicRange.usualPeak
    ) -> ColorProfile? {
        guard let colorants = colorants(of: primaries),
            let curve = signal(of: transfer).map({ signal in
                chromaticities(of: primaries)
                    .flatMap { HighDynamicRange(signal, primaries: $0, peak: peak) }
                    .map(ToneCurve.highDynamicRange)
            }) ?? curve(of: transfer)
        else { return nil }
        return ColorProfile(curves: [curve, curve, curve], colorants: colorants)
    }

    /// Returns the primaries to use for a photograph.
    ///
    /// If the file specifies video primaries or no primaries, returns the primaries of sRGB,
    /// because cameras store sRGB colors in such files.
    static func primaries(ofPhoto primaries: UInt8) -> UInt8 {
        [0, 2, 5, 6].contains(primaries) ? 1 : primaries
    }

    /// Returns the transfer function to use for a photograph.
    ///
    /// If the file specifies a video curve or no curve, returns the sRGB curve, because cameras
    /// store sRGB colors in such files.
    static func transfer(ofPhoto transfer: UInt8) -> UInt8 {
        [0, 1, 2, 6, 14, 15].contains(transfer) ? 13 : transfer
    }

    /// Returns the matrix that converts linear light to XYZ under D50.
    ///
    /// The values are calculated from the chromaticities of the primaries under D65. Like all
    /// values in a profile, they are converted to D50 by Bradford adaptation (ICC.1:2022, annex E).
    private static func colorants(of primaries: UInt8) -> ColorMatrix? {
        switch primaries {
        case 1:
            // BT.709 and sRGB.
            ColorMatrix(
                [0.436_041, 0.222_485, 0.013_920],
                [0.385_113, 0.716_905, 0.097_067],
                [0.143_046, 0.060_610, 0.713_913]
            )
        case 9:
            // BT.2020.
            ColorMatrix(
                [0.673_480, 0.279_043, -0.001_933],
                [0.165_671, 0.675_344, 0.029_983],
                [0.125_049, 0.045_613, 0.796_851]
            )
        case 12:
            // Display P3.
            ColorMatrix(
                [0.515_119, 0.241_189, -0.001_050],
                [0.291_978, 0.692_244, 0.041_879],
                [0.157_103, 0.066_567, 0.784_071]
            )
        default: chromaticities(of: primaries)?.colorants
        }
    }

    /// Returns the chromaticities of primaries (ITU-T H.273, table 2).
    private static func chromaticities(of primaries: UInt8) -> Chromaticities? {
        /// The white point of CIE illuminant C.
        let oldWhite: SIMD2<Double> = [0.310, 0.316]
        let white = Chromaticities.daylight
        let points: [SIMD2<Double>]
        switch primaries {
        case 1: return .sRGB
        case 9: return .bt2020
        case 12: points = [white, [0.680, 0.320], [0.265, 0.690], [0.150, 0.060]]
        case 4: points = [oldWhite, [0.67, 0.33], [0.21, 0.71], [0.14, 0.08]]
        case 5: points = [white, [0.64, 0.33], [0.29, 0.60], [0.15, 0.06]]
        case 6, 7: points = [white, [0.630, 0.340], [0.310, 0.595], [0.155, 0.070]]
        case 8: points = [oldWhite, [0.681, 0.319], [0.243, 0.692], [0.145, 0.049]]
        case 10: points = [[1.0 / 3, 1.0 / 3], [1, 0], [0, 1], [0, 0]]
        case 11: points = [[0.314, 0.351], [0.680, 0.320], [0.265, 0.690], [0.150, 0.060]]
        case 22: points = [white, [0.630, 0.340], [0.295, 0.605], [0.155, 0.077]]
        default: return nil
        }
        return Chromaticities(white: points[0], red: points[1], green: points[2], blue: points[3])
    }

    private static func signal(of transfer: UInt8) -> HighDynamicRange.Signal? {
        switch transfer {
        case 16: .perceptualQuantizer
        case 18: .hybridLogGamma
        default: nil
        }
    }

    private static func curve(of transfer: UInt8) -> ToneCurve? {
        switch transfer {
        // BT.709 and similar curves, which displays render with an exponent of 2.4 (BT.1886).
        case 1, 6, 11, 14, 15: .power(2.4)
        case 4: .power(2.2)
        case 5: .power(2.8)
        // SMPTE ST 240.
        case 7:
            .parametric(
                ToneCurve.Parameters(
                    g: 1 / 0.45,
                    a: 0.899_626_676,
                    b: 0.100_373_324,
                    c: 0.25,
                    d: 0.091_286_342
                )
            )
        case 8: .power(1)
        case 13: .sRGB
        // SMPTE ST 428, with a factor of 52.37 / 48.
        case 17: .parametric(ToneCurve.Parameters(g: 2.6, a: 1.034_080_528))
        default: nil
        }
    }
}
