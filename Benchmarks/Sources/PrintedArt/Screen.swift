/// A color with 8 bits per channel.
public struct Color: Hashable, Sendable {
    /// Red, green and blue, 0 to 255.
    public let red, green, blue: UInt8

    /// Creates a color.
    public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }
}

/// One cell of a screen: a character and its two colors, nil for the terminal's own.
public struct Cell: Hashable, Sendable {
    /// The character; a blank if nothing was written.
    public var character: Unicode.Scalar = " "
    /// The color of the character.
    public var foreground: Color?
    /// The background color.
    public var background: Color?

    /// Creates an empty cell.
    public init() {}
}

/// The output of a program as a terminal without a height limit would show it.
///
/// Supports the sequences that the programs under test send: 24-bit colors, xterm's palette,
/// reverse video, cursor movements and repetition. A character takes one cell.
public struct Screen: Sendable {
    /// The lines from the top, each as long as the text written on it.
    public private(set) var lines: [[Cell]] = [[]]
    /// Unsupported escape sequences; must be empty.
    public private(set) var unknown: Set<String> = []

    private var (row, column) = (0, 0)
    private var style = Cell()
    private var isReversed = false

    /// Creates the screen that shows bytes of UTF-8.
    public init(showing bytes: some Sequence<UInt8>) {
        var sequences = EscapeReader(String(decoding: Array(bytes), as: UTF8.self))
        while let next = sequences.next() {
            switch next {
            case .character(let scalar): write(scalar)
            case .control(let final, let parameters): obey(final, parameters)
            }
        }
    }

    private mutating func write(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\n": (row, column) = (row + 1, 0)
        case "\r": column = 0
        default:
            var cell = style
            cell.character = scalar
            if isReversed { swap(&cell.foreground, &cell.background) }
            put(cell)
        }
    }

    private mutating func put(_ cell: Cell) {
        while lines.count <= row { lines.append([]) }
        while lines[row].count <= column { lines[row].append(Cell()) }
        lines[row][column] = cell
        column += 1
    }

    private mutating func obey(_ final: Character, _ parameters: [Int]) {
        let count = max(1, parameters.first ?? 1)
        switch final {
        case "m": setStyle(parameters.isEmpty ? [0] : parameters)
        case "A": row = max(0, row - count)
        case "B": row += count
        case "C": column += count
        case "D": column = max(0, column - count)
        case "b":
            guard column > 0, row < lines.count, column <= lines[row].count else { return }
            for _ in 0..<count { put(lines[row][column - 1]) }
        // Saving and restoring the cursor, which returns to the same position here; modes.
        case "s", "u", "h", "l": break
        default: unknown.insert("\(final) \(parameters)")
        }
    }

    private mutating func setStyle(_ parameters: [Int]) {
        var rest = parameters[...]
        while let first = rest.popFirst() {
            switch first {
            case 0: (style, isReversed) = (Cell(), false)
            case 7: isReversed = true
            case 27: isReversed = false
            // Weight and slant do not change the look of blocks.
            case 1...5, 22...25: break
            case 39: style.foreground = nil
            case 49: style.background = nil
            case 38 where rest.first == 5 && rest.count >= 2: style.foreground = entry(&rest)
            case 48 where rest.first == 5 && rest.count >= 2: style.background = entry(&rest)
            case 38 where rest.first == 2 && rest.count >= 4: style.foreground = color(&rest)
            case 48 where rest.first == 2 && rest.count >= 4: style.background = color(&rest)
            default: unknown.insert("m \(parameters)")
            }
        }
    }

    /// Consumes "2;red;green;blue".
    private func color(_ rest: inout ArraySlice<Int>) -> Color {
        let channels = rest.prefix(4).dropFirst().map { UInt8(clamping: $0) }
        rest = rest.dropFirst(4)
        return Color(channels[0], channels[1], channels[2])
    }

    /// Consumes "5;entry".
    private func entry(_ rest: inout ArraySlice<Int>) -> Color {
        let entry = rest.prefix(2).last ?? 0
        rest = rest.dropFirst(2)
        return Color(entry: entry)
    }
}

extension Color {
    /// Creates the default color of xterm for an entry of its 256 colors.
    fileprivate init(entry: Int) {
        switch entry {
        case 232...:
            let gray = UInt8(clamping: 8 + 10 * (entry - 232))
            self.init(gray, gray, gray)
        case 16...:
            let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
            let cube = entry - 16
            self.init(levels[cube / 36], levels[cube / 6 % 6], levels[cube % 6])
        default:
            let theme = Self.theme[entry & 15]
            self.init(UInt8(theme >> 16), UInt8(theme >> 8 & 255), UInt8(theme & 255))
        }
    }

    private static let theme = [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
        0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ]
}
