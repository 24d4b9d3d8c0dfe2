/// The theme that the user chose.
package enum ThemeChoice: String, Hashable, Sendable, CaseIterable {
    /// The light theme on a terminal with a light background, or the dark theme otherwise.
    case auto
    /// Light text on a dark background.
    case dark
    /// Dark text on a light background.
    case light
    /// The terminal's own background and text colors, and colors mixed from them.
    case terminal
}

/// The terminal's own background and text colors.
package struct TerminalColors: Hashable, Sendable {
    package let ground: RGB
    package let text: RGB

    /// Creates the colors from a terminal's reply.
    ///
    /// If `text` is nil, the text color is black on a bright background, or white otherwise.
    package init(ground: CellColor, text: CellColor? = nil) {
        self.ground = RGB(ground)
        let contrast = self.ground.isBright ? 0 : 255
        self.text = text.map(RGB.init) ?? RGB(red: contrast, green: contrast, blue: contrast)
    }
}

/// A color and its entry in the 256-color palette.
///
/// The entry is not always the nearest one because adjacent surfaces must not have the same gray.
package struct ThemeColor: Hashable, Sendable {
    package let rgb: RGB
    package let index: UInt8

    fileprivate init(_ value: Int, _ index: UInt8) {
        rgb = RGB(red: value >> 16, green: value >> 8 & 255, blue: value & 255)
        self.index = index
    }

    init(_ color: CellColor) {
        self.init(RGB(color))
    }

    fileprivate init(_ rgb: RGB) {
        self.rgb = rgb
        index = TerminalPalette.xterm256.nearest(to: rgb).index
    }
}

/// The colors of a theme.
///
/// Every text color has a contrast ratio of at least 4.5 (WCAG) on all surfaces, even with 256
/// colors.
package struct ThemeColors: Hashable, Sendable {
    var isLight: Bool
    package var ground: ThemeColor
    package var card: ThemeColor
    package var raised: ThemeColor
    /// The color of the missing part of an image.
    package var pending: ThemeColor
    var track: ThemeColor
    package var progress: ThemeColor
    package var caption: ThemeColor
    package var strong: ThemeColor
    package var dim: ThemeColor
    package var accent: ThemeColor
    var onSelection: ThemeColor
    var selectionTrack: ThemeColor
    package var fromDisk: ThemeColor
    package var fromNetwork: ThemeColor
    package var warning: ThemeColor
    package var failure: ThemeColor
    /// The colors of labels 1 to 9.
    ///
    /// The first three labels are named keep, maybe and reject by default: green, yellow and red.
    package let labels: [ThemeColor]
    let onLabel: ThemeColor
}

extension ThemeColors {
    /// Creates the colors for a terminal.
    ///
    /// If the user has not chosen a theme and the terminal's background is unknown, the theme is
    /// dark.
    package init(_ capabilities: ScreenCapabilities) {
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
            ThemeColor(0x8BD17C, 114),
            ThemeColor(0xF0C843, 221),
            ThemeColor(0xFF7A70, 209),
            ThemeColor(0xFF9F5A, 215),
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
            ThemeColor(0x2A6E2F, 22),
            ThemeColor(0x7A5A00, 94),
            ThemeColor(0xB3261E, 124),
            ThemeColor(0xA04400, 130),
            ThemeColor(0x00696A, 23),
            ThemeColor(0x2457C5, 26),
            ThemeColor(0x6A3FC0, 61),
            ThemeColor(0xA8246F, 125),
            ThemeColor(0x525A68, 59),
        ],
        onLabel: ThemeColor(0xFFFFFF, 231)
    )

    /// Uses the terminal's own background and text colors, and mixes the surface colors from them.
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
    /// The background of transparent images.
    package var backdrop: Backdrop { Backdrop(card: card.rgb, pending: pending.rgb) }
}

extension ScreenCapabilities {
    /// Returns the color that the terminal displays for a surface, so pixels can match it exactly.
    ///
    /// With 16 colors or no colors, surfaces have the terminal's own background.
    package func shown(_ color: ThemeColor) -> RGB {
        switch colorDepth {
        case .trueColor: return color.rgb
        case .palette256: return TerminalPalette.xterm256.color(of: color.index)
        case .ansi16, .monochrome:
            return terminalColors?.ground ?? RGB(red: 0, green: 0, blue: 0)
        }
    }
}

extension ScreenCapabilities {
    /// Returns the background for images that are shown as pixels on a surface.
    package func pixelBackdrop(on surface: ThemeColor) -> Backdrop {
        Backdrop(card: shown(surface), pending: shown(ThemeColors(self).pending))
    }
}

extension RGB {
    /// Whether the color is closer to white than to black.
    var isBright: Bool { luma > 127 }

    /// Returns the contrast ratio of two colors from 1 to 21, according to WCAG.
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

    /// The luminance, computed with a polynomial approximation of the sRGB curve.
    ///
    /// The approximation is accurate enough for comparisons.
    private var luminance: Double {
        func linear(_ value: Int) -> Double {
            let part = Double(value) / 255
            return part * (part * (part * 0.3053 + 0.6822) + 0.0125)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }
}
