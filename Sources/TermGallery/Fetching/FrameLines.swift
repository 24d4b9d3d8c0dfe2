import GalleryCore

/// Writes a frame as plain lines with colours, for output that nobody moves a cursor on.
enum FrameLines {
    /// Writes all lines; false if nobody reads them any more.
    static func write(_ frame: Frame, to descriptor: Int32) -> Bool {
        OutputBytes.write(bytes(of: frame), to: descriptor)
    }

    /// Each line ends in the terminal's own style, so that nothing leaks into the prompt.
    static func bytes(of frame: Frame) -> [UInt8] {
        var writer = ByteWriter()
        var style = CellStyle()
        for row in 0..<frame.size.rows {
            let end = lastColumn(of: row, in: frame)
            for column in 0..<end {
                let cell = frame[row, column].cheapest(after: style)
                guard cell.scalar != 0 else { continue }
                writer.change(&style, to: cell.style)
                writer.append(scalar: cell.scalar)
            }
            if style != CellStyle() { writer.append("\u{1B}[0m") }
            style = CellStyle()
            writer.append(UInt8(ascii: "\n"))
        }
        return writer.bytes
    }

    /// Blanks at the end of a line are left out.
    private static func lastColumn(of row: Int, in frame: Frame) -> Int {
        var end = frame.size.columns
        while end > 0, frame[row, end - 1] == FrameCell() { end -= 1 }
        return end
    }
}
