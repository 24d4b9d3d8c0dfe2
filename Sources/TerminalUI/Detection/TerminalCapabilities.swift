package import Decoders

/// The capabilities of a terminal, derived from its replies.
///
/// This type has no side effects.
package struct TerminalCapabilities: Equatable, Sendable {
    /// The name reported by the terminal, or nil if there is none.
    package var name: TerminalName?
    /// The available graphics protocols, best first.
    ///
    /// If the array is empty, images are drawn with blocks.
    package var protocols: [GraphicsProtocol] = []
    /// Whether tmux must pass kitty graphics commands through to the terminal.
    ///
    /// If so, the commands must be wrapped (`TmuxPassThrough`).
    package var passesThroughTmux = false
    /// Whether the terminal reads kitty images from shared memory.
    package var takesSharedMemory = false
    /// Whether the terminal accepts kitty images compressed with zlib.
    package var takesCompressedPixels = false
    /// The size of a cell in pixels, or nil if it is unknown.
    package var cellPixels: PixelSize?
    /// The color depth to use.
    package var colorDepth: ColorDepth?
    /// Whether the terminal can show all output between `?2026h` and `?2026l` at once, as a single
    /// frame.
    package var synchronizesOutput = false
    /// Whether the terminal shows a grapheme cluster as one character (mode 2027).
    ///
    /// If the mode is off, `TerminalDetector` turns it on.
    package var showsGraphemeClusters = false
    /// Whether characters of ambiguous width occupy two columns, or nil if unknown.
    ///
    /// Most of the program's symbols have ambiguous width.
    package var hasWideSigns: Bool?
    package var background: CellColor?
    /// The text color.
    package var foreground: CellColor?
    /// The reasons for the decisions, as one line of text per decision.
    package var reasons: [String] = []

    /// Creates capabilities without any information.
    package init() {}

    /// Derives the capabilities from the terminal's replies and its surroundings.
    package init(_ replies: TerminalReplies, _ surroundings: TerminalSurroundings) {
        name = replies.name
        let graphics = GraphicsChoice(replies, surroundings)
        protocols = graphics.protocols
        passesThroughTmux = graphics.passesThroughTmux
        takesSharedMemory = replies.accepts(.kittySharedMemory)
        takesCompressedPixels = replies.accepts(.kittyCompressed) || passesThroughTmux
        synchronizesOutput = replies.mode(.synchronizedOutput) != nil
        showsGraphemeClusters = replies.mode(.graphemeClusters) != nil
        hasWideSigns = replies.signColumns.map { $0 > 2 }
        (background, foreground) = (replies.background, replies.foreground)
        let (depth, depthReason) = Self.depth(replies, surroundings)
        let (cell, cellReason) = Self.cell(replies, surroundings)
        (colorDepth, cellPixels) = (depth, cell)
        reasons = graphics.reasons + ["\(depth.rawValue) colors: \(depthReason)", cellReason]
        if hasWideSigns == true {
            reasons.append(
                "ASCII symbols only: the terminal draws other symbols two columns wide"
            )
        }
    }

    private static func depth(
        _ replies: TerminalReplies,
        _ surroundings: TerminalSurroundings
    ) -> (ColorDepth, String) {
        let profile = surroundings.profile
        guard !profile.isColorSettled else { return (profile.depth, profile.depthReason) }
        if let hasDirectColor = replies.hasDirectColor {
            return hasDirectColor
                ? (.trueColor, "reported by the terminal")
                : (.palette256, "the terminal maps 24-bit colors to its palette")
        }
        if let name = replies.name {
            if trueColorNames.contains(name.name.lowercased()) {
                return (.trueColor, "\(name) has them")
            }
            // mlterm can show a few hundred colors in addition to its palette. Beyond that, the
            // colors are wrong.
            if name.is("mlterm"), profile.depth == .trueColor {
                return (
                    .palette256, "\(name) supports only a limited number of 24-bit colors at once"
                )
            }
        }
        return (profile.depth, profile.depthReason)
    }

    private static let trueColorNames: Set<String> = [
        "alacritty", "contour", "foot", "ghostty", "iterm2", "kitty", "konsole", "mintty",
        "rio", "tmux", "vte", "wezterm", "xterm.js",
    ]

    private static func cell(
        _ replies: TerminalReplies,
        _ surroundings: TerminalSurroundings
    ) -> (PixelSize?, String) {
        let screen = surroundings.screen
        let sizes: [(PixelSize?, String)] = [
            (replies.cellSize, "reported by the terminal"),
            (replies.reportedCellSize, "reported by the terminal (ReportCellSize)"),
            // The cell sizes are rounded down because the kernel's window size may include the
            // window's border.
            (
                surroundings.isAskedScreen ? replies.textAreaSize?.divided(by: screen) : nil,
                "computed from the text area's size, reported by the terminal"
            ),
            (surroundings.windowPixels?.divided(by: screen), "computed from the window's size"),
        ]
        for case (let size?, let reason) in sizes where size.isPlausibleCell {
            return (size, "cell size \(size.width)x\(size.height) pixels: \(reason)")
        }
        return (nil, "the number of pixels per cell is unknown")
    }
}

/// Information about a terminal from sources other than its own replies.
package struct TerminalSurroundings: Equatable, Sendable {
    package var profile: ScreenProfile
    /// The value of `--pixels`.
    package var pixels = PixelChoice.auto
    /// The size of the screen in cells.
    package var screen = ScreenSize(columns: 80, rows: 24)
    /// Whether the screen is still the same size as when the terminal was queried.
    var isAskedScreen = true
    /// The size of the window in pixels, as reported by the kernel.
    package var windowPixels: PixelSize?
    /// The reply from tmux, or nil if tmux has not replied.
    package var tmux: TmuxClient?

    package init(
        profile: ScreenProfile,
        pixels: PixelChoice = .auto
    ) {
        self.profile = profile
        self.pixels = pixels
    }
}

extension PixelSize {
    /// Returns the size of a cell, rounded down, assuming that the cells of `screen` fill an area
    /// of this size.
    fileprivate func divided(by screen: ScreenSize) -> PixelSize {
        PixelSize(width: width / max(1, screen.columns), height: height / max(1, screen.rows))
    }

    /// Whether the size is plausible for a cell: 4 to 256 pixels wide and 6 to 512 pixels high.
    ///
    /// The smallest readable fonts have cells of 4×6 pixels. Some terminals report the same window
    /// size, such as 640×480 pixels, for any number of cells.
    fileprivate var isPlausibleCell: Bool {
        (4...256).contains(width) && (6...512).contains(height)
    }
}
