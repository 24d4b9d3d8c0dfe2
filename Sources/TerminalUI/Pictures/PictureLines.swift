import Decoders

/// Writes a frame as lines, with its images as pixels, to output that scrolls.
package struct PictureLines {
    package let graphics: GraphicsProtocol
    /// The budget for a thumbnail.
    package let budget: GraphicsBudget
    /// Whether the commands for images must pass through tmux.
    package let passesThroughTmux: Bool
    private var lastID: UInt32

    /// Creates a writer.
    ///
    /// The images are numbered from `firstID`, so that they differ from the images of earlier runs,
    /// which may still be visible further up.
    package init(
        _ graphics: GraphicsProtocol,
        budget: GraphicsBudget,
        passesThroughTmux: Bool = false,
        firstID: UInt32 = .random(in: 0x01_0000...0xF0_0000)
    ) {
        self.graphics = graphics
        self.budget = budget
        self.passesThroughTmux = passesThroughTmux
        lastID = firstID
    }

    /// Returns the frame as lines, each with its line end.
    package mutating func bytes(of frame: Frame) -> [UInt8] {
        var frame = frame
        var bytes: [UInt8] = []
        if graphics != .kittyPlaceholders { bytes += Self.room(for: frame) }
        for placed in frame.images where graphics.canShow(placed.image.box) {
            lastID += 1
            let picture = PictureEncoder.encode(
                placed.image.pixels(),
                for: graphics,
                budget: budget.scaled(toPixels: placed.image.size.pixelCount)
            )
            append(picture, placed, to: &bytes)
            frame.replaceCells(
                row: placed.row,
                column: placed.column,
                box: placed.image.box,
                withPicture: lastID
            )
        }
        let writesPlaceholders = graphics == .kittyPlaceholders
        return bytes + FrameLines.bytes(of: frame, writesPlaceholders: writesPlaceholders)
    }

    /// Returns the bytes that make room for the frame.
    ///
    /// They scroll until there are enough free lines, move the cursor to the first of them, and
    /// save the position of the cursor.
    private static func room(for frame: Frame) -> [UInt8] {
        let lines = [UInt8](repeating: UInt8(ascii: "\n"), count: frame.size.rows)
        return lines + Array("\u{1B}[\(frame.size.rows)A\r\u{1B}7".utf8)
    }

    private func append(
        _ picture: EncodedPicture,
        _ placed: PlacedImage,
        to bytes: inout [UInt8]
    ) {
        let box = placed.image.box
        var command: [UInt8] = []
        switch graphics {
        case .kittyPlaceholders:
            KittyCommand.transmit(
                id: lastID,
                picture: picture,
                columns: box.columns,
                rows: box.rows,
                placeholder: true,
                to: &command
            )
            bytes += passesThroughTmux ? TmuxPassThrough.wrap(command) : command
            return
        case .kitty:
            KittyCommand.transmit(
                id: lastID,
                picture: picture,
                columns: box.columns,
                rows: box.rows,
                placeholder: false,
                to: &command
            )
            KittyCommand.place(
                id: lastID,
                placement: 1,
                columns: box.columns,
                rows: box.rows,
                to: &command
            )
        case .iterm:
            ITermCommand.image(picture, columns: box.columns, rows: box.rows, to: &command)
        case .sixel:
            command = picture.payload
        }
        if placed.row > 0 { bytes += Array("\u{1B}[\(placed.row)B".utf8) }
        if placed.column > 0 { bytes += Array("\u{1B}[\(placed.column)C".utf8) }
        bytes += command
        // The cursor position after an image differs between terminals.
        bytes += Array("\u{1B}8".utf8)
    }
}
