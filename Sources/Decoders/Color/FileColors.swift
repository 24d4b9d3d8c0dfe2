internal import CImageCodecs

/// The color space of a file's samples.
enum FileColors {
    /// The file contains no usable color information; the samples are assumed to be sRGB.
    case assumed
    /// The samples are amounts of light, defined by the curves and primaries of a profile.
    case lights(ColorProfile)
    /// The samples are red, green and blue, defined by the tables of a profile.
    case table([UInt8])
    /// The samples are inks (CMYK), defined by a profile.
    ///
    /// If `areLight` is true, the samples are the light that the inks transmit. Otherwise, they are
    /// the amounts of ink.
    case inks([UInt8], areLight: Bool)

    /// Reads the color space from `profile`, the bytes of an ICC profile.
    ///
    /// If `isGray` is true, the samples are gray; otherwise, they are red, green and blue. If an
    /// RGB profile has both tables and curves, the tables are used because they are more accurate.
    init(_ profile: [UInt8], isGray: Bool) {
        if isGray {
            self = ColorProfile(gray: profile).map(FileColors.lights) ?? .assumed
        } else if ColorProfile.hasTables(profile) {
            self = .table(profile)
        } else {
            self = ColorProfile(profile).map(FileColors.lights) ?? .assumed
        }
    }

    /// Whether the file specifies its colors; if not, sRGB is assumed.
    var isKnown: Bool { if case .assumed = self { false } else { true } }

    /// The conversion to sRGB, or nil if the colors are already sRGB or are amounts of ink (CMYK).
    var conversion: (any PixelConversion)? {
        switch self {
        case .assumed, .inks: nil
        case .lights(let profile): ColorConversion(from: profile)
        case .table(let bytes):
            ColorTable(bytes, of: .rgba)
                ?? ColorProfile(bytes).flatMap { ColorConversion(from: $0) }
        }
    }

    /// The profile if 8 bits are not enough for its curves; otherwise nil.
    var wideProfile: ColorProfile? {
        guard case .lights(let profile) = self,
            profile.curves.contains(where: \.needsWideSamples)
        else { return nil }
        return profile
    }

    /// The conversion from inks to sRGB, or nil if the profile is missing or unusable.
    var inks: ColorTable? {
        guard case .inks(let bytes, let areLight) = self else { return nil }
        return ColorTable(bytes, of: areLight ? .light : .ink)
    }
}

/// A conversion from other colors to sRGB.
protocol PixelConversion {
    /// Converts four-byte pixels in place without changing alpha.
    func convert(_ pixels: UnsafeMutableBufferPointer<UInt8>)
}

extension ColorConversion: PixelConversion {}

/// Converts colors to sRGB with the tables of a profile, using littlecms.
///
/// Each decode needs its own instance, because littlecms caches the last color in the instance.
final class ColorTable: PixelConversion {
    /// The meaning of the four bytes in a pixel.
    enum Samples {
        case rgba
        /// The amounts of cyan, magenta, yellow and black.
        case ink
        /// The light that cyan, magenta, yellow and black ink transmit.
        case light
    }

    private let handle: OpaquePointer

    /// Creates a conversion.
    ///
    /// Returns nil if the profile is damaged or does not match `samples`, or if littlecms is not
    /// installed.
    init?(_ profile: [UInt8], of samples: Samples) {
        let kind: cic_color_samples =
            switch samples {
            case .rgba: .rgba
            case .ink: .ink
            case .light: .light
            }
        guard let handle = cic_color_transform_create(profile, profile.count, kind) else {
            return nil
        }
        self.handle = handle
    }

    deinit { cic_color_transform_destroy(handle) }

    /// Loads littlecms if it is installed.
    ///
    /// A helper process must call this method before it decodes images, because it cannot load
    /// libraries later.
    static func prepare() {
        _ = cic_color_load()
    }

    func convert(_ pixels: UnsafeMutableBufferPointer<UInt8>) {
        guard let start = pixels.baseAddress else { return }
        cic_color_transform_apply(handle, start, pixels.count / 4)
    }
}
