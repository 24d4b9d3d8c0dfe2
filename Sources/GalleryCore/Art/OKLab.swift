internal import Decoders
internal import Glibc

/// A colour in OKLab, in which distances are about as large as they look.
///
/// Björn Ottosson, "A perceptual color space for image processing" (2020).
struct OKLab: Sendable {
    /// 0 for black, 1 for white.
    let lightness: Float
    /// From green to red.
    let a: Float
    /// From blue to yellow.
    let b: Float
    /// How far from grey.
    let chroma: Float

    init(_ color: RGB) {
        let red = Self.light[color.red]
        let green = Self.light[color.green]
        let blue = Self.light[color.blue]
        let long = cbrtf(0.412_221_47 * red + 0.536_332_54 * green + 0.051_445_99 * blue)
        let medium = cbrtf(0.211_903_5 * red + 0.680_699_55 * green + 0.107_396_96 * blue)
        let short = cbrtf(0.088_302_46 * red + 0.281_718_84 * green + 0.629_978_7 * blue)
        lightness = 0.210_454_26 * long + 0.793_617_79 * medium - 0.004_072_05 * short
        a = 1.977_998_5 * long - 2.428_592_2 * medium + 0.450_593_71 * short
        b = 0.025_904_04 * long + 0.782_771_77 * medium - 0.808_675_77 * short
        chroma = (a * a + b * b).squareRoot()
    }

    /// Light from 0 to 1 of each value of 8 bits.
    private static let light = (0...255).map { Float(SRGBTransfer.decode(Double($0) / 255)) }
}
