/// Attributes of one terminal cell.
public struct CellAttributes: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Makes a set from bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Bold.
    public static let bold = CellAttributes(rawValue: 1)
    /// Dim.
    public static let dim = CellAttributes(rawValue: 2)
    /// Foreground and background exchanged.
    public static let reverse = CellAttributes(rawValue: 4)
    /// Underlined.
    public static let underline = CellAttributes(rawValue: 8)
}

/// One cell of the screen.
///
/// It never holds a control character (see `FrameText`).
public struct FrameCell: Hashable, Sendable {
    /// The character; 0 in the right half of a wide character.
    public var scalar: UInt32
    /// Colour of the glyph.
    public var foreground: CellColor
    /// Colour behind the glyph.
    public var background: CellColor
    /// Attributes.
    public var attributes: CellAttributes

    /// Makes a cell; without arguments a blank.
    public init(
        _ scalar: Unicode.Scalar = " ",
        foreground: CellColor = .terminalDefault,
        background: CellColor = .terminalDefault,
        attributes: CellAttributes = []
    ) {
        self.scalar = scalar.value
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }
}

/// The size of the screen in character cells.
public struct ScreenSize: Hashable, Sendable {
    /// Cells from left to right.
    public var columns: Int
    /// Cells from top to bottom.
    public var rows: Int

    /// Makes a size of at least 1×1.
    public init(columns: Int, rows: Int) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
    }
}

/// A whole screen as values: what the gallery draws and the painters compare.
public struct Frame: Equatable, Sendable {
    /// Its size.
    public let size: ScreenSize
    /// `columns * rows` cells, row by row.
    public private(set) var cells: [FrameCell]

    /// Makes a blank screen.
    public init(size: ScreenSize) {
        self.size = size
        self.cells = Array(repeating: FrameCell(), count: size.columns * size.rows)
    }

    /// The cell at a place, which must be on the screen.
    public subscript(row: Int, column: Int) -> FrameCell {
        get { cells[row * size.columns + column] }
        set { cells[row * size.columns + column] = newValue }
    }
}
