/// Which theme the person wants.
public enum ThemeChoice: String, Hashable, Sendable, CaseIterable {
    /// Light on a terminal whose ground is light, else dark.
    case auto
    /// Light text on dark.
    case dark
    /// Dark text on light.
    case light
    /// The terminal's own ground and text, the rest mixed from them.
    case terminal
}

/// The colours that a terminal has by itself, as it told.
public struct TerminalColors: Hashable, Sendable {
    let ground: RGB
    let text: RGB

    /// Makes colours as the terminal told them; without a text colour, black or white.
    public init(ground: CellColor, text: CellColor? = nil) {
        self.ground = RGB(ground)
        let contrast = self.ground.isBright ? 0 : 255
        self.text = text.map(RGB.init) ?? RGB(red: contrast, green: contrast, blue: contrast)
    }
}

/// A colour, and the entry of the 256-colour palette that stands for it.
///
/// Not always the nearest one: neighbouring surfaces must not become the same grey.
struct ThemeColor: Hashable, Sendable {
    let rgb: RGB
    let index: UInt8

    fileprivate init(_ value: Int, _ index: UInt8) {
        rgb = RGB(red: value >> 16, green: value >> 8 & 255, blue: value & 255)
        self.index = index
    }

    init(_ color: CellColor) {
        self.init(RGB(color))
    }

    fileprivate init(_ rgb: RGB) {
        self.rgb = rgb
        index = Palette.xterm256.nearest(to: rgb).index
    }
}

/// The colours of a theme by what they are for.
///
/// Every text colour has a contrast of at least 4.5 (WCAG) on ground, card and raised, in 256
/// colours too.
struct ThemeColors: Hashable, Sendable {
    var isLight: Bool
    var ground: ThemeColor
    var card: ThemeColor
    var raised: ThemeColor
    /// The part of a picture that has not come yet.
    var pending: ThemeColor
    var track: ThemeColor
    var progress: ThemeColor
    var caption: ThemeColor
    var strong: ThemeColor
    var dim: ThemeColor
    var accent: ThemeColor
    var onSelection: ThemeColor
    var selectionTrack: ThemeColor
    var fromDisk: ThemeColor
    var fromNetwork: ThemeColor
    var warning: ThemeColor
    var failure: ThemeColor
    /// Of the labels 1 to 9.
    let labels: [ThemeColor]
    let onLabel: ThemeColor
}

extension ThemeColors {
    /// The colours for a terminal; dark where nothing is known.
    init(_ capabilities: ScreenCapabilities) {
        let terminal = capabilities.terminalColors
        let isBright = terminal?.ground.isBright ?? false
        switch capabilities.theme {
        case .auto: self = isBright ? .light : .dark
        case .dark: self = .dark
        case .light: self = .light
        case .terminal:
            self = isBright ? .light : .dark
            if let terminal { mix(terminal) }
        }
        take(capabilities.colors)
    }

    private static let dark = ThemeColors(
        isLight: false,
        ground: ThemeColor(0x111318, 233),
        card: ThemeColor(0x1C2028, 235),
        raised: ThemeColor(0x232833, 236),
        pending: ThemeColor(0x272C37, 237),
        track: ThemeColor(0x39414F, 238),
        progress: ThemeColor(0xA9B4C6, 146),
        caption: ThemeColor(0xD3D8E0, 253),
        strong: ThemeColor(0xF4F6FA, 231),
        dim: ThemeColor(0x949DAD, 247),
        accent: ThemeColor(0x7CB7FF, 111),
        onSelection: ThemeColor(0x0B1424, 234),
        selectionTrack: ThemeColor(0x4A83C4, 68),
        fromDisk: ThemeColor(0x56CFC0, 79),
        fromNetwork: ThemeColor(0xB79CFF, 147),
        warning: ThemeColor(0xE8BD5C, 179),
        failure: ThemeColor(0xFF8A80, 210),
        labels: [
            ThemeColor(0xFF7A70, 209),
            ThemeColor(0xFF9F5A, 215),
            ThemeColor(0xF0C843, 221),
            ThemeColor(0x8BD17C, 114),
            ThemeColor(0x56CFC0, 79),
            ThemeColor(0x82AAFF, 111),
            ThemeColor(0xB79CFF, 147),
            ThemeColor(0xF58FC8, 212),
            ThemeColor(0xB9BFCA, 251),
        ],
        onLabel: ThemeColor(0x14161B, 234)
    )

    private static let light = ThemeColors(
        isLight: true,
        ground: ThemeColor(0xFAFAFB, 231),
        card: ThemeColor(0xEBEDF1, 255),
        raised: ThemeColor(0xE1E4EA, 254),
        pending: ThemeColor(0xD9DDE4, 253),
        track: ThemeColor(0xC2C8D3, 251),
        progress: ThemeColor(0x566178, 60),
        caption: ThemeColor(0x272C36, 236),
        strong: ThemeColor(0x0C0F14, 233),
        dim: ThemeColor(0x565F6F, 241),
        accent: ThemeColor(0x0B57C9, 26),
        onSelection: ThemeColor(0xFFFFFF, 231),
        selectionTrack: ThemeColor(0x4D86DB, 68),
        fromDisk: ThemeColor(0x007A7B, 30),
        fromNetwork: ThemeColor(0x6A3FC0, 61),
        warning: ThemeColor(0x7D5200, 94),
        failure: ThemeColor(0xB3241C, 124),
        labels: [
            ThemeColor(0xB3261E, 124),
            ThemeColor(0xA04400, 130),
            ThemeColor(0x7A5A00, 94),
            ThemeColor(0x2A6E2F, 22),
            ThemeColor(0x00696A, 23),
            ThemeColor(0x2457C5, 26),
            ThemeColor(0x6A3FC0, 61),
            ThemeColor(0xA8246F, 125),
            ThemeColor(0x525A68, 59),
        ],
        onLabel: ThemeColor(0xFFFFFF, 231)
    )

    /// Takes the terminal's own ground and text, and moves the surfaces from one to the other.
    private mutating func mix(_ terminal: TerminalColors) {
        func mixed(_ percent: Int) -> ThemeColor {
            ThemeColor(terminal.ground.mixed(with: terminal.text, percent: percent))
        }
        ground = mixed(0)
        card = mixed(6)
        raised = mixed(10)
        pending = mixed(12)
        track = mixed(22)
        caption = mixed(100)
        let readable = stride(from: 68, to: 100, by: 4).first { percent in
            mixed(percent).rgb.contrast(to: raised.rgb) >= 4.5
        }
        dim = mixed(readable ?? 100)
    }
}

extension ThemeColors {
    /// What shows through transparent images.
    var backdrop: Backdrop { Backdrop(card: card.rgb, pending: pending.rgb) }
}

extension ScreenCapabilities {
    /// What a surface of the theme looks like, so that pixels meet it without a seam.
    ///
    /// In 16 colours and without any, surfaces are the terminal's own background.
    func shown(_ color: ThemeColor) -> RGB {
        switch colorDepth {
        case .trueColor: return color.rgb
        case .palette256: return Palette.xterm256.color(of: color.index)
        case .ansi16, .monochrome:
            return terminalColors?.ground ?? RGB(red: 0, green: 0, blue: 0)
        }
    }
}

extension ScreenCapabilities {
    /// The backdrop of images in pixels, on a surface of the theme.
    func pixelBackdrop(on surface: ThemeColor) -> Backdrop {
        Backdrop(card: shown(surface), pending: shown(ThemeColors(self).pending))
    }
}

extension RGB {
    /// Whether it is nearer to white than to black.
    var isBright: Bool { luma > 127 }

    /// The ratio of two colours' luminances as WCAG counts it, 1 to 21.
    func contrast(to other: RGB) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    fileprivate func mixed(with other: RGB, percent: Int) -> RGB {
        func mixed(_ from: Int, _ to: Int) -> Int { from + (to - from) * percent / 100 }
        return RGB(
            red: mixed(red, other.red),
            green: mixed(green, other.green),
            blue: mixed(blue, other.blue)
        )
    }

    /// A polynomial that is as good as sRGB's curve where two colours are compared.
    private var luminance: Double {
        func linear(_ value: Int) -> Double {
            let part = Double(value) / 255
            return part * (part * (part * 0.3053 + 0.6822) + 0.0125)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }
}
