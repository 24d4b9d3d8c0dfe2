/// The look of everything that is no image, for one colour depth.
///
/// Colours are mid-tones on the terminal's own background, or stand on a background of their own,
/// so that all of it can be read on dark and on light terminals.
struct Theme: Hashable, Sendable {
    var caption = CellStyle.plain
    var selectedCaption: CellStyle
    var selectionMark: CellStyle
    var quiet: CellStyle
    var failure: CellStyle
    var progressDone: CellStyle
    var progressRest: CellStyle
    var sourceMark: CellStyle
    var statusBar: CellStyle
    var statusStrong: CellStyle
    var notice: CellStyle
    var panel: CellStyle
    var panelTitle: CellStyle
    var panelStrong: CellStyle
    var panelBar: CellStyle

    /// The theme for a terminal.
    init(_ depth: ColorDepth) {
        self =
            switch depth {
            case .monochrome: .monochrome
            case .ansi16: .colored(.ansi16)
            case .palette256: .colored(.palette256)
            case .trueColor: .colored(.trueColor)
            }
    }

    private init(selected: CellStyle, bar: CellStyle, panel: CellStyle, accent: CellColor) {
        selectedCaption = selected
        selectionMark = CellStyle(foreground: accent, attributes: .bold)
        quiet = CellStyle(attributes: .dim)
        failure = CellStyle(attributes: .bold)
        progressDone = CellStyle(foreground: accent)
        progressRest = CellStyle(attributes: .dim)
        sourceMark = CellStyle(attributes: .dim)
        statusBar = bar
        statusStrong = bar.with(.bold)
        notice = bar.with(.bold)
        self.panel = panel
        panelTitle = panel.with(.bold)
        panelStrong = panel.with(.bold)
        panelBar = panel
    }

    private static let monochrome = Theme(
        selected: CellStyle(attributes: .reverse),
        bar: CellStyle(attributes: .reverse),
        panel: .plain,
        accent: .terminalDefault
    )

    private static func colored(_ colors: ThemeColors) -> Theme {
        let selected = CellStyle(foreground: colors.onAccent, background: colors.accent)
        let bar = CellStyle(foreground: colors.barText, background: colors.bar)
        var theme = Theme(selected: selected, bar: bar, panel: bar, accent: colors.accent)
        theme.quiet = CellStyle(foreground: colors.quiet)
        theme.failure = CellStyle(foreground: colors.failure)
        // What is left is a background: the eighth blocks end on it without a seam.
        theme.progressDone = CellStyle(foreground: colors.accent, background: colors.track)
        theme.progressRest = CellStyle(foreground: colors.barText, background: colors.track)
        theme.sourceMark = CellStyle(foreground: colors.quiet)
        theme.statusStrong.foreground = colors.barStrong
        theme.notice = CellStyle(foreground: colors.onNotice, background: colors.notice)
        theme.panelTitle = CellStyle(
            foreground: colors.onAccent,
            background: colors.accent,
            attributes: .bold
        )
        theme.panelStrong.foreground = colors.barStrong
        theme.panelBar.foreground = colors.barAccent
        return theme
    }
}

extension CellStyle {
    fileprivate func with(_ attributes: CellAttributes) -> CellStyle {
        var style = self
        style.attributes.formUnion(attributes)
        return style
    }
}

/// The few colours a theme is mixed from.
struct ThemeColors: Sendable {
    var accent: CellColor
    var onAccent: CellColor
    var quiet: CellColor
    var track: CellColor
    var failure: CellColor
    var bar: CellColor
    var barText: CellColor
    var barStrong: CellColor
    var barAccent: CellColor
    var notice: CellColor
    var onNotice: CellColor

    static let trueColor = ThemeColors(
        accent: .rgb(58, 122, 214),
        onAccent: .rgb(255, 255, 255),
        quiet: .rgb(128, 132, 140),
        track: .rgb(72, 76, 84),
        failure: .rgb(214, 84, 76),
        bar: .rgb(44, 48, 56),
        barText: .rgb(190, 194, 202),
        barStrong: .rgb(255, 255, 255),
        barAccent: .rgb(110, 168, 254),
        notice: .rgb(214, 162, 60),
        onNotice: .rgb(24, 24, 24)
    )

    static let palette256 = ThemeColors(
        accent: .palette(32),
        onAccent: .palette(231),
        quiet: .palette(244),
        track: .palette(239),
        failure: .palette(167),
        bar: .palette(236),
        barText: .palette(250),
        barStrong: .palette(231),
        barAccent: .palette(75),
        notice: .palette(179),
        onNotice: .palette(234)
    )

    /// Theme colours of the terminal; white on blue and black on white keep their contrast in
    /// every usual scheme.
    ///
    /// Not so grey, colour 8: with eight colours it is a bold black, in some schemes the
    /// background. What is quiet has the terminal's own colour.
    static let ansi16 = ThemeColors(
        accent: .palette(4),
        onAccent: .palette(15),
        quiet: .terminalDefault,
        track: .palette(8),
        failure: .palette(1),
        bar: .palette(7),
        barText: .palette(0),
        barStrong: .palette(4),
        barAccent: .palette(4),
        notice: .palette(3),
        onNotice: .palette(0)
    )
}
