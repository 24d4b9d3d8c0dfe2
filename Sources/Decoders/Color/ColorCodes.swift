/// Converts code points of ITU-T H.273 to color profiles.
///
/// Such code points are used, for example, in the cICP chunk of a PNG (PNG, third edition, section
/// 11.3.2.6). A code point is the number of a set of primaries or of a transfer function.
enum ColorCodes {
    /// Returns the profile with these primaries and this transfer function, or nil if either is not
    /// supported.
    ///
    /// Only primaries and transfer functions of displays are supported.
    static func profile(primaries: UInt8, transfer: UInt8) -> ColorProfile? {
        guard let colorants = colorants(of: primaries), let curve = curve(of: transfer) else {
            return nil
        }
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

    /// Returns the matrix from linear light to XYZ under D50.
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
        default: nil
        }
    }

    private static func curve(of transfer: UInt8) -> ToneCurve? {
        switch transfer {
        // BT.709 and similar curves, whose displays have an exponent of 2.4 (BT.1886).
        case 1, 6, 14, 15: .power(2.4)
        case 4: .power(2.2)
        case 5: .power(2.8)
        case 8: .power(1)
        case 13: .sRGB
        case 16: .highDynamicRange(.perceptualQuantizer)
        case 18: .highDynamicRange(.hybridLogGamma)
        default: nil
        }
    }
}
