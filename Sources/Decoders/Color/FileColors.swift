internal import CImageCodecs

/// What a file says its samples mean.
enum FileColors {
    /// Nothing that can be used: they are taken for sRGB's.
    case assumed
    /// Curves, and the colours of the lights.
    case lights(ColorProfile)
    /// A profile of tables, for red, green and blue.
    case table([UInt8])
    /// A profile of inks; `areLight` if the samples are what light they let through.
    case inks([UInt8], areLight: Bool)

    /// What `profile` says of samples of red, green and blue, or of grey.
    ///
    /// Where a profile has tables and curves, the tables say more.
    init(_ profile: [UInt8], isGrey: Bool) {
        if isGrey {
            self = ColorProfile(grey: profile).map(FileColors.lights) ?? .assumed
        } else if ColorProfile.hasTables(profile) {
            self = .table(profile)
        } else {
            self = ColorProfile(profile).map(FileColors.lights) ?? .assumed
        }
    }

    /// Whether they are known.
    var isKnown: Bool { if case .assumed = self { false } else { true } }

    /// The way to sRGB; nil if there is nothing to do, or samples are of inks.
    var conversion: (any PixelConversion)? {
        switch self {
        case .assumed, .inks: nil
        case .lights(let profile): ColorConversion(from: profile)
        case .table(let bytes):
            ColorTable(bytes, of: .rgba) ?? ColorProfile(bytes).flatMap(ColorConversion.init)
        }
    }

    /// The way from inks to sRGB; nil if their profile is not known, or can't be used.
    var inks: ColorTable? {
        guard case .inks(let bytes, let areLight) = self else { return nil }
        return ColorTable(bytes, of: areLight ? .light : .ink)
    }
}

/// A way to sRGB from other colours.
protocol PixelConversion {
    /// Converts pixels of four bytes in place; alpha stays.
    func convert(_ pixels: UnsafeMutableBufferPointer<UInt8>)
}

extension ColorConversion: PixelConversion {}

/// A way to sRGB by the tables of a profile, which littlecms reads.
///
/// One for each decode: littlecms remembers the last colour in it.
final class ColorTable: PixelConversion {
    /// What the four bytes of a pixel are.
    enum Samples {
        case rgba
        /// How much there is of cyan, magenta, yellow and black.
        case ink
        /// What light those let through.
        case light
    }

    private let handle: OpaquePointer

    /// Nil if the profile is damaged or of other samples, or littlecms is not installed.
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

    /// Loads littlecms, if it is installed: once images come, a process that only decodes can't.
    static func prepare() {
        _ = cic_color_load()
    }

    func convert(_ pixels: UnsafeMutableBufferPointer<UInt8>) {
        guard let start = pixels.baseAddress else { return }
        cic_color_transform_apply(handle, start, pixels.count / 4)
    }
}
