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
