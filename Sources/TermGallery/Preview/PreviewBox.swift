import TerminalUI

/// The area that a preview fills, and how the preview is output.
enum PreviewBox: Equatable {
    /// The preview is drawn at this position on the screen.
    case place(FrameRect)
    /// The preview is printed as lines that another program draws.
    ///
    /// `passesImages` is true if that program passes image commands on to the terminal.
    case lines(ScreenSize, passesImages: Bool)
    /// The preview is printed as lines on the terminal.
    case terminal(ScreenSize)

    /// Determines the box from the `--place` option, the environment and the terminal.
    ///
    /// Returns nil if no part of the box is on the screen. `screen` is nil if the size of the
    /// terminal is unknown.
    init?(
        place: FrameRect?,
        variable: (String) -> String,
        screen: ScreenSize?,
        isTerminal: Bool
    ) {
        func size(_ columns: String, _ rows: String) -> ScreenSize? {
            guard let width = Int(variable(columns)), let height = Int(variable(rows)),
                width > 0, height > 0
            else { return nil }
            return ScreenSize(columns: min(width, 1000), rows: min(height, 1000))
        }
        if let place {
            guard let clipped = Self.clipped(place, to: screen) else { return nil }
            self = .place(clipped)
        } else if var size = size("FZF_PREVIEW_COLUMNS", "FZF_PREVIEW_LINES") {
            // If the lines fill its window, fzf draws the scroll position over the image.
            size.rows = max(1, size.rows - 1)
            // fzf passes images on as of version 0.44, and sets this variable as of version 0.46.
            self = .lines(size, passesImages: !variable("FZF_TOTAL_COUNT").isEmpty)
        } else if let size = size("COLUMNS", "LINES") {
            self = isTerminal ? .terminal(size) : .lines(size, passesImages: false)
        } else if isTerminal, let screen {
            // One row stays free because the line feed after the last row would otherwise scroll
            // the screen.
            self = .terminal(ScreenSize(columns: screen.columns, rows: screen.rows - 1))
        } else {
            self = .lines(screen ?? ScreenSize(columns: 80, rows: 24), passesImages: false)
        }
    }

    /// The size of the area in cells.
    var size: ScreenSize {
        switch self {
        case .place(let rect): ScreenSize(columns: rect.columns, rows: rect.rows)
        case .lines(let size, _), .terminal(let size): size
        }
    }

    /// Returns the protocols that can show images in the box for a value of `--pixels`.
    ///
    /// If the preview is printed as lines, kitty images without placeholders would remain on the
    /// screen when the other program shows something else.
    func protocols(for choice: PixelChoice) -> [GraphicsProtocol] {
        switch self {
        case .place, .terminal: GraphicsProtocol.allCases
        case .lines(_, let passesImages):
            passesImages
                ? [.kittyPlaceholders, .iterm, .sixel] : choice == .auto ? [] : [.kittyPlaceholders]
        }
    }

    /// Returns the box without the last row of the screen if images in that row would scroll the
    /// screen.
    func fitted(for graphics: GraphicsProtocol?, on screen: ScreenSize?) -> PreviewBox {
        guard case .place(var rect) = self, let screen, let graphics,
            [.sixel, .iterm].contains(graphics), rect.row + rect.rows == screen.rows, rect.rows > 1
        else { return self }
        rect.rows -= 1
        return .place(rect)
    }

    private static func clipped(_ rect: FrameRect, to screen: ScreenSize?) -> FrameRect? {
        guard let screen else { return rect }
        var rect = rect
        rect.columns = min(rect.columns, screen.columns - rect.column)
        rect.rows = min(rect.rows, screen.rows - rect.row)
        return rect.columns > 0 && rect.rows > 0 ? rect : nil
    }
}

/// A box on the screen as an argument, such as "40x20@60x2": the numbers of columns and rows,
/// followed by the column and row of the upper-left corner, counted from 0.
enum PlaceArgument {
    /// Returns the box, or nil if the argument is invalid.
    static func rect(_ argument: String) -> FrameRect? {
        let parts = argument.split(separator: "@", omittingEmptySubsequences: false)
        let numbers = parts.flatMap { part in
            part.split(separator: "x", omittingEmptySubsequences: false).map { number in
                number.allSatisfy { ("0"..."9").contains($0) } ? Int(number) : nil
            }
        }
        guard parts.count == 2, numbers.count == 4, !parts[0].isEmpty,
            parts[0].count(where: { $0 == "x" }) == 1,
            let columns = numbers[0], let rows = numbers[1],
            let column = numbers[2], let row = numbers[3],
            (1...1000).contains(columns), (1...1000).contains(rows),
            (0..<10_000).contains(column), (0..<10_000).contains(row)
        else { return nil }
        return FrameRect(row: row, column: column, rows: rows, columns: columns)
    }
}
