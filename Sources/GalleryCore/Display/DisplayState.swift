import TerminalUI

/// The size, the capabilities and the theme of the terminal.
struct DisplayState: Equatable, Sendable {
    private(set) var size = ScreenSize(columns: 80, rows: 24)
    /// Whether the screen size is known, which is required for loading images.
    private(set) var isSizeKnown = false
    /// The capabilities of the terminal, with the user's theme and colors.
    private(set) var capabilities: ScreenCapabilities {
        didSet { theme = Theme(capabilities) }
    }
    private(set) var theme: Theme
    /// Whether the user has chosen a display mode with a key.
    private var hasChosenLook = false
    /// The number of rows directly above the status bar that the grid must not use.
    private var reservedRows = 0

    init(_ capabilities: ScreenCapabilities, settings: GallerySettings) {
        self.capabilities = settings.dressed(capabilities)
        theme = Theme(self.capabilities)
    }

    /// Whether the screen is large enough to show an image.
    var fits: Bool {
        size.columns >= GridLayout.minimumScreen.columns
            && size.rows >= GridLayout.minimumScreen.rows
    }

    /// The size of the screen without the reserved rows.
    var gridSize: ScreenSize {
        ScreenSize(columns: size.columns, rows: max(1, size.rows - reservedRows))
    }

    /// Reserves rows above the status bar.
    mutating func reserve(rows: Int) { reservedRows = rows }

    mutating func resize(to size: ScreenSize) {
        self.size = size
        isSizeKnown = true
    }

    /// Applies new capabilities or settings, and returns whether the screen must be drawn again.
    ///
    /// If the user has chosen a display mode, it is kept if it is still available.
    mutating func take(_ reported: ScreenCapabilities, settings: GallerySettings) -> Bool {
        var next = settings.dressed(reported)
        if hasChosenLook, next.offeredSymbols.contains(capabilities.symbols) {
            next.symbols = capabilities.symbols
            if capabilities.graphics.map(next.offeredGraphics.contains) ?? true {
                next.graphics = capabilities.graphics
            }
        }
        guard next != capabilities else { return false }
        capabilities = next
        return true
    }

    /// Applies the display mode that the user has chosen.
    mutating func choose(_ look: ScreenCapabilities) {
        capabilities = look
        hasChosenLook = true
    }

    /// Uses the terminal's own background instead of the background of the theme.
    mutating func keepBackground() { theme = .ofTerminal(capabilities) }
}
