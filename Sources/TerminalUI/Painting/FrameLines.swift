import Glibc
import SystemSupport

/// A namespace for writing a frame as colored lines without cursor movement.
package enum FrameLines {
    /// Writes all lines, and returns false if writing fails.
    ///
    /// For example, writing fails if the reader has closed the pipe.
    package static func write(_ frame: Frame, to descriptor: Int32) -> Bool {
        OutputBytes.write(bytes(of: frame), to: descriptor)
    }

    /// Returns the frame as lines of text.
    ///
    /// Each line ends in the terminal's default style, so the prompt after it keeps its own style.
    /// If `writesPlaceholders` is true, image cells are written as placeholder characters.
    /// Otherwise, the images are drawn in another way, and their cells are skipped.
    package static func bytes(of frame: Frame, writesPlaceholders: Bool = true) -> [UInt8] {
        var writer = ByteWriter()
        for row in 0..<frame.size.rows {
            append(row: row, of: frame, writesPlaceholders: writesPlaceholders, to: &writer)
            writer.append(UInt8(ascii: "\n"))
        }
        return writer.bytes
    }

    /// Appends a row without its trailing blanks.
    ///
    /// The cursor must be in the first column, and the style must be the terminal's default style.
    /// The row also ends in that style.
    static func append(
        row: Int,
        of frame: Frame,
        writesPlaceholders: Bool,
        to writer: inout ByteWriter
    ) {
        var style = CellStyle()
        let links = frame.links.filter { $0.row == row }
        for column in 0..<lastColumn(of: row, in: frame) {
            for link in links { link.appendMark(at: column, to: &writer) }
            if let part = frame[row, column].picturePart {
                if writesPlaceholders {
                    writer.append(part, after: &style)
                } else {
                    writer.append("\u{1B}[C")
                }
                continue
            }
            let cell = frame[row, column].cheapest(after: style)
            guard cell.scalar != 0 else { continue }
            writer.change(&style, to: cell.style)
            for scalar in cell.scalars { writer.append(scalar: scalar) }
        }
        if !links.isEmpty { writer.append("\u{1B}]8;;\u{1B}\\") }
        if style != CellStyle() { writer.append("\u{1B}[0m") }
    }

    /// Returns the number of columns in a row without its trailing blanks.
    private static func lastColumn(of row: Int, in frame: Frame) -> Int {
        var end = frame.size.columns
        while end > 0, frame[row, end - 1] == FrameCell() { end -= 1 }
        return end
    }
}
