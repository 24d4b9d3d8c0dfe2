/// The styles of all screen elements except images.
///
/// A view specifies the meaning and surface of its text, such as "dim text on a card". Only this
/// type determines the colors and attributes, for dark and light backgrounds and for every color
/// depth. If there are few colors, a symbol or a word always conveys the same information as the
/// color.
package struct Theme: Hashable, Sendable {
    /// The surface on which text is drawn.
    package enum Surface: Hashable, Sendable, CaseIterable {
        /// The screen.
        case ground
        /// The area of an image and its caption, or a panel.
        case card
        /// The status bar.
        case raised
        /// The caption of the selected image.
        case selection
    }

    /// The purpose of text, which determines its style.
    package enum Tone: Hashable, Sendable, CaseIterable {
        case caption, strong, dim
        /// Keys, headings, and the frame of the selection.
        case accent
        /// A progress bar on its track.
        case progress
        case fromDisk, fromNetwork
        case warning, failure
    }

    private enum Kind: Hashable, Sendable {
        case colored(SurfaceColors)
        case ansi16(isLight: Bool)
        case monochrome
    }

    private let kind: Kind

    /// Creates the theme that the user chose, adapted to the terminal's capabilities.
    package init(_ capabilities: ScreenCapabilities) {
        let colors = ThemeColors(capabilities)
        let depth = capabilities.colorDepth
        let ownGround = capabilities.theme == .terminal
        let isMixed = !ownGround || capabilities.terminalColors != nil
        guard depth == .trueColor || depth == .palette256, isMixed else {
            self = .ofTerminal(capabilities)
            return
        }
        // A background chosen by the user is always drawn.
        let drawsGround = !ownGround || capabilities.colors[.ground] != nil
        kind = .colored(SurfaceColors(colors, depth, ownGround: !drawsGround))
    }

    private init(_ kind: Kind) {
        self.kind = kind
    }

    /// Returns a theme that uses the terminal's own 16 colors.
    ///
    /// If the terminal has no colors, the theme has none either.
    package static func ofTerminal(_ capabilities: ScreenCapabilities) -> Theme {
        guard capabilities.colorDepth != .monochrome else { return Theme(.monochrome) }
        return Theme(.ansi16(isLight: ThemeColors(capabilities).isLight))
    }

    /// Whether cards and the tracks of progress bars have their own color.
    ///
    /// If not, an empty card is visible only if its corners are drawn, and a progress bar can only
    /// end at the edge of a column.
    package var hasSurfaces: Bool { if case .colored = kind { true } else { false } }

    /// Returns the style of text.
    package func style(_ tone: Tone, on surface: Surface = .ground) -> CellStyle {
        switch kind {
        case .colored(let colors): colors.style(tone, on: surface)
        case .ansi16(let isLight): Self.ansi16(tone, on: surface, isLight: isLight)
        case .monochrome: Self.monochrome(tone, on: surface)
        }
    }

    /// The style of the frame around the selected image.
    ///
    /// The frame has the background color of the selected caption, and is drawn on the screen
    /// background.
    package var frame: CellStyle {
        let (selection, ground) = (surface(.selection), surface(.ground))
        guard !selection.attributes.contains(.reverse) else { return .plain }
        return CellStyle(foreground: selection.background, background: ground.background)
    }

    /// Returns the style of an empty part of a surface.
    package func surface(_ surface: Surface) -> CellStyle {
        let style = style(.caption, on: surface)
        return CellStyle(
            foreground: style.foreground,
            background: style.background,
            attributes: style.attributes.intersection(.reverse)
        )
    }

    /// Returns the style of a badge (a mark or label) at the left end of a caption.
    ///
    /// With 16 colors or no colors, a badge on a bar such as the selected caption is only bold,
    /// because an inverted badge would be invisible.
    package func badge(label: UInt8?, onBar: Bool) -> CellStyle {
        switch kind {
        case .colored(let colors): colors.badge(label)
        case .ansi16(let isLight):
            onBar ? CellStyle(attributes: .bold) : Self.ansi16Badge(label, isLight: isLight)
        case .monochrome: CellStyle(attributes: onBar ? .bold : [.bold, .reverse])
        }
    }

    /// The cell that fills an empty screen.
    package var blank: FrameCell {
        let ground = surface(.ground)
        return FrameCell(foreground: ground.foreground, background: ground.background)
    }
}

/// Themes in the terminal's own 16 colors or without colors.
extension Theme {
    private static func ansi16(_ tone: Tone, on surface: Surface, isLight: Bool) -> CellStyle {
        switch surface {
        case .ground, .card: plain(tone, isLight: isLight)
        case .raised: raised(tone, isLight: isLight)
        case .selection:
            CellStyle(
                foreground: .palette(isLight ? 15 : 0),
                background: .palette(isLight ? 4 : 6),
                attributes: tone == .progress ? [] : .bold
            )
        }
    }

    /// Returns the style of text on the screen or on a card.
    ///
    /// Color 8 is never used: it is bold black on a terminal with eight colors, and equals the
    /// background in some terminal themes.
    private static func plain(_ tone: Tone, isLight: Bool) -> CellStyle {
        switch tone {
        case .caption, .dim, .progress: .plain
        case .strong: CellStyle(attributes: .bold)
        case .accent: CellStyle(foreground: .palette(isLight ? 4 : 6))
        case .fromDisk: CellStyle(foreground: .palette(2))
        case .fromNetwork: CellStyle(foreground: .palette(5))
        case .warning:
            isLight ? CellStyle(attributes: .bold) : CellStyle(foreground: .palette(3))
        case .failure:
            isLight
                ? CellStyle(foreground: .palette(1))
                : CellStyle(foreground: .palette(9), attributes: .bold)
        }
    }

    /// Returns the style of text on the status bar.
    ///
    /// The text is black on white on a dark terminal, and white on black on a light terminal.
    private static func raised(_ tone: Tone, isLight: Bool) -> CellStyle {
        var style = CellStyle(
            foreground: .palette(isLight ? 7 : 0),
            background: .palette(isLight ? 0 : 7)
        )
        switch tone {
        case .caption, .dim, .progress, .fromDisk, .fromNetwork: break
        case .strong: style.attributes = .bold
        case .accent: style.foreground = .palette(isLight ? 6 : 4)
        case .warning:
            if isLight { style.foreground = .palette(3) }
            style.attributes = .bold
        case .failure: style.foreground = .palette(isLight ? 9 : 1)
        }
        return style
    }

    private static func ansi16Badge(_ label: UInt8?, isLight: Bool) -> CellStyle {
        let grounds: [UInt8] = [2, 3, 1, 3, 6, 4, 5, 5, 7]
        guard let label, (1...grounds.count).contains(Int(label)) else {
            return CellStyle(
                foreground: .palette(isLight ? 7 : 0),
                background: .palette(isLight ? 0 : 7),
                attributes: .bold
            )
        }
        let ground = grounds[Int(label) - 1]
        return CellStyle(
            foreground: .palette(ground == 4 || ground == 5 ? 15 : 0),
            background: .palette(ground),
            attributes: .bold
        )
    }

    private static func monochrome(_ tone: Tone, on surface: Surface) -> CellStyle {
        let isReverse = surface == .raised || surface == .selection
        var attributes: CellAttributes = isReverse ? .reverse : []
        if surface == .selection, tone != .progress { attributes.insert(.bold) }
        switch tone {
        case .caption, .progress, .fromDisk, .fromNetwork: break
        case .strong, .warning, .failure: attributes.insert(.bold)
        case .dim: if !isReverse { attributes.insert(.dim) }
        case .accent: if surface != .selection { attributes.insert(.underline) }
        }
        return CellStyle(attributes: attributes)
    }
}

/// The colors of a theme, converted to the color depth of the terminal.
private struct SurfaceColors: Hashable, Sendable {
    private let colors: ThemeColors
    private let isTrueColor: Bool
    /// Whether the background and normal text have the terminal's own colors.
    private let ownGround: Bool

    init(_ colors: ThemeColors, _ depth: ColorDepth, ownGround: Bool) {
        self.colors = colors
        isTrueColor = depth == .trueColor
        self.ownGround = ownGround
    }

    func style(_ tone: Theme.Tone, on surface: Theme.Surface) -> CellStyle {
        guard surface != .selection else { return selected(tone) }
        if tone == .progress {
            return CellStyle(foreground: color(colors.progress), background: color(colors.track))
        }
        return CellStyle(
            foreground: foreground(tone),
            background: background(surface),
            attributes: tone == .accent ? .bold : []
        )
    }

    func badge(_ label: UInt8?) -> CellStyle {
        guard let label, colors.labels.indices.contains(Int(label) - 1) else {
            return CellStyle(
                foreground: color(colors.ground),
                background: color(colors.strong),
                attributes: .bold
            )
        }
        return CellStyle(
            foreground: color(colors.onLabel),
            background: color(colors.labels[Int(label) - 1]),
            attributes: .bold
        )
    }

    private func selected(_ tone: Theme.Tone) -> CellStyle {
        let isBar = tone == .progress
        return CellStyle(
            foreground: color(colors.onSelection),
            background: color(isBar ? colors.selectionTrack : colors.accent),
            attributes: isBar ? [] : .bold
        )
    }

    private func background(_ surface: Theme.Surface) -> CellColor {
        switch surface {
        case .ground: ownGround ? .terminalDefault : color(colors.ground)
        case .card: color(colors.card)
        case .raised: color(colors.raised)
        case .selection: color(colors.accent)
        }
    }

    private func foreground(_ tone: Theme.Tone) -> CellColor {
        switch tone {
        case .caption: ownGround ? .terminalDefault : color(colors.caption)
        case .strong: color(colors.strong)
        case .dim: color(colors.dim)
        case .accent: color(colors.accent)
        case .progress: color(colors.progress)
        case .fromDisk: color(colors.fromDisk)
        case .fromNetwork: color(colors.fromNetwork)
        case .warning: color(colors.warning)
        case .failure: color(colors.failure)
        }
    }

    private func color(_ color: ThemeColor) -> CellColor {
        isTrueColor ? color.rgb.cellColor : .palette(color.index)
    }
}
