import Decoders
import GalleryCore
import TerminalGraphics

/// What is known of a terminal: what it answered, and what follows from it.
///
/// Pure.
struct TerminalFindings: Equatable, Sendable {
    /// What it calls itself; nil if it doesn't say.
    var name: TerminalName?
    /// The ways to send it pixels, best first; empty means blocks.
    var protocols: [GraphicsProtocol] = []
    /// Commands of kitty's protocol have to be wrapped for tmux to pass them on.
    var passesThroughTmux = false
    /// It reads kitty pictures from shared memory.
    var takesSharedMemory = false
    /// It takes kitty pictures compressed by zlib.
    var takesCompressedPixels = false
    /// One cell in pixels; nil if nobody says.
    var cellPixels: PixelSize?
    /// How many colours to use.
    var colorDepth: ColorDepth?
    /// It shows a frame at once, between `?2026h` and `?2026l`.
    var synchronizesOutput = false
    /// It shows grapheme clusters as one (mode 2027); switched on if it was off.
    var showsGraphemeClusters = false
    /// Characters of ambiguous width, which most signs are, take two columns; nil if it doesn't tell.
    var hasWideSigns: Bool?
    /// The colour behind the text.
    var background: CellColor?
    /// The colour of the text.
    var foreground: CellColor?
    /// One line per decision, for people.
    var reasons: [String] = []

    /// Nothing is known.
    init() {}

    /// Decides.
    init(_ answers: TerminalAnswers, _ surroundings: TerminalSurroundings) {
        name = answers.name
        let graphics = GraphicsChoice(answers, surroundings)
        protocols = graphics.protocols
        passesThroughTmux = graphics.passesThroughTmux
        takesSharedMemory = answers.accepts(.kittySharedMemory)
        takesCompressedPixels = answers.accepts(.kittyCompressed) || passesThroughTmux
        synchronizesOutput = answers.mode(.synchronizedOutput) != nil
        showsGraphemeClusters = answers.mode(.graphemeClusters) != nil
        hasWideSigns = answers.signColumns.map { $0 > 2 }
        (background, foreground) = (answers.background, answers.foreground)
        let (depth, depthReason) = Self.depth(answers, surroundings)
        let (cell, cellReason) = Self.cell(answers, surroundings)
        (colorDepth, cellPixels) = (depth, cell)
        reasons = graphics.reasons + ["\(depth.rawValue) colors: \(depthReason)", cellReason]
        if hasWideSigns == true {
            reasons.append(
                "ASCII symbols only: the terminal draws other symbols two columns wide"
            )
        }
    }

    private static func depth(
        _ answers: TerminalAnswers,
        _ surroundings: TerminalSurroundings
    ) -> (ColorDepth, String) {
        let profile = surroundings.profile
        guard !profile.isColorSettled else { return (profile.depth, profile.depthReason) }
        if let hasDirectColor = answers.hasDirectColor {
            return hasDirectColor
                ? (.trueColor, "reported by the terminal")
                : (.palette256, "the terminal maps 24-bit colors to its palette")
        }
        if let name = answers.name {
            if trueColorNames.contains(name.name.lowercased()) {
                return (.trueColor, "\(name) has them")
            }
            // It has room for a few hundred colours beside its palette, and shows wrong ones when
            // that is used up.
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
        _ answers: TerminalAnswers,
        _ surroundings: TerminalSurroundings
    ) -> (PixelSize?, String) {
        let screen = surroundings.screen
        let sizes: [(PixelSize?, String)] = [
            (answers.cellSize, "reported by the terminal"),
            (answers.reportedCellSize, "reported by the terminal (ReportCellSize)"),
            // Rounded down: the kernel's figure may have the window's border in it.
            (
                surroundings.isAskedScreen ? answers.textAreaSize?.divided(by: screen) : nil,
                "computed from the text area's size, reported by the terminal"
            ),
            (surroundings.windowPixels?.divided(by: screen), "computed from the window's size"),
        ]
        for case (let size?, let reason) in sizes where size.isPlausibleCell {
            return (size, "cell size \(size.width)x\(size.height) pixels: \(reason)")
        }
        return (nil, "the cell size in pixels is unknown")
    }
}

/// What is known of a terminal without asking it, or by asking somebody else.
struct TerminalSurroundings: Equatable, Sendable {
    var profile: ScreenProfile
    /// `--pixels`.
    var pixels = PixelChoice.auto
    /// The screen's size in cells.
    var screen = ScreenSize(columns: 80, rows: 24)
    /// The screen had the same size when the terminal was asked.
    var isAskedScreen = true
    /// The window's size in pixels, as the kernel has it.
    var windowPixels: PixelSize?
    /// What tmux says; nil if there is none.
    var tmux: TmuxClient?
}

extension PixelSize {
    /// The size of a cell if the whole has so many; rounded down.
    fileprivate func divided(by screen: ScreenSize) -> PixelSize {
        PixelSize(width: width / max(1, screen.columns), height: height / max(1, screen.rows))
    }

    /// Whether text of this size could be read.
    fileprivate var isPlausibleCell: Bool {
        (2...256).contains(width) && (4...512).contains(height)
    }
}
