package import TerminalUI

/// A terminal screen in memory, which processes the output of a program.
///
/// Where real terminals differ, it is as strict as the strictest one. Overwriting half of a wide
/// character clears the other half. The cursor waits after the last column until a character is
/// written. Erased cells keep the background color only if `erasesWithColor` is set.
package struct VirtualScreen: Sendable {
    /// Its size.
    package private(set) var size: ScreenSize
    /// The cursor's row, from 0.
    package internal(set) var row = 0
    /// The cursor's column, from 0.
    package internal(set) var column = 0
    /// The private modes that are set (25 cursor shown, 1049 alternate screen, 1006 mouse …).
    package internal(set) var modes: Set<Int> = [7, 25]
    /// Sequences that the model doesn't know, for tests that want none.
    package internal(set) var unknownSequences: [String] = []
    /// Replies that the terminal would send (device status and attributes).
    package internal(set) var replies: [UInt8] = []
    /// Whether erased cells get the current background color (xterm), or the default one (tmux).
    package var erasesWithColor: Bool
    /// How characters of several scalars are laid out.
    package var clusterLayout = ClusterLayout.scalars

    var cells: [FrameCell]
    var primaryCells: [FrameCell] = []
    var style = FrameCell()
    var isWrapPending = false
    var region: Range<Int>
    var savedCursor = (row: 0, column: 0, style: FrameCell())
    var lastWritten: UInt32 = 0x20
    /// Where the last character begins, unless the cursor was moved since.
    var anchor: (row: Int, column: Int)?
    private var parser = SequenceParser()

    /// Makes a blank screen.
    package init(size: ScreenSize, erasesWithColor: Bool = true) {
        self.size = size
        self.erasesWithColor = erasesWithColor
        cells = Array(repeating: FrameCell(), count: size.columns * size.rows)
        region = 0..<size.rows
    }

    /// Takes bytes as a program writes them; sequences and characters may be cut anywhere.
    package mutating func write(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            guard let action = parser.take(byte) else { continue }
            perform(action)
        }
    }

    /// The content of a cell.
    package subscript(row: Int, column: Int) -> FrameCell {
        cells[row * size.columns + column]
    }

    /// The whole screen.
    package var frame: Frame {
        var frame = Frame(size: size)
        for row in 0..<size.rows {
            for column in 0..<size.columns { frame[row, column] = self[row, column] }
        }
        return frame
    }

    /// One row's characters, without the blanks at its end.
    package func text(row: Int) -> String {
        var text = ""
        for column in 0..<size.columns {
            let scalars = self[row, column].scalars.compactMap(Unicode.Scalar.init)
            text.unicodeScalars.append(contentsOf: scalars)
        }
        while text.last == " " { text.removeLast() }
        return text
    }

    /// All rows' characters.
    package var text: String {
        (0..<size.rows).map(text(row:)).joined(separator: "\n")
    }

    /// Changes the size; keeps the upper left part, as a terminal without reflow.
    package mutating func resize(to newSize: ScreenSize) {
        let old = self
        self.size = newSize
        cells = Array(repeating: FrameCell(), count: newSize.columns * newSize.rows)
        primaryCells = []
        region = 0..<newSize.rows
        for row in 0..<min(old.size.rows, newSize.rows) {
            for column in 0..<min(old.size.columns, newSize.columns) {
                self[row: row, column] = old[row, column]
            }
        }
        row = min(row, newSize.rows - 1)
        column = min(column, newSize.columns - 1)
        isWrapPending = false
    }

    subscript(row row: Int, column: Int) -> FrameCell {
        get { cells[row * size.columns + column] }
        set { cells[row * size.columns + column] = newValue }
    }
}
