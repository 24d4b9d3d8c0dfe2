import Decoders

/// Converts a frame to lines for output that scrolls, with images as pixels.
package struct PictureLines {
    package let graphics: GraphicsProtocol
    /// The budget for a thumbnail.
    package let budget: GraphicsBudget
    /// Whether the image commands must be passed through tmux.
    package let passesThroughTmux: Bool
    private var lastID: UInt32

    /// Creates a writer.
    ///
    /// The images are numbered from `firstID` to distinguish them from the images of earlier runs,
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

    /// Returns the frame as lines, including line feeds.
    package mutating func bytes(of frame: Frame) -> [UInt8] {
        var frame = frame
        var bytes: [UInt8] = []
        if graphics != .kittyPlaceholders { bytes += Self.room(for: frame) }
        for placed in frame.images where graphics.canShow(placed.image.box) {
            lastID += 1
            let commands = commands(for: placed.image, id: lastID)
            if graphics == .kittyPlaceholders {
                bytes += commands
            } else {
                if placed.row > 0 { bytes += Array("\u{1B}[\(placed.row)B".utf8) }
                if placed.column > 0 { bytes += Array("\u{1B}[\(placed.column)C".utf8) }
                // The cursor position after an image differs between terminals.
                bytes += commands + Array("\u{1B}8".utf8)
            }
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
    /// They scroll until there are enough free lines, move the cursor to the first free line, and
    /// save the cursor position.
    private static func room(for frame: Frame) -> [UInt8] {
        let lines = [UInt8](repeating: UInt8(ascii: "\n"), count: frame.size.rows)
        return lines + Array("\u{1B}[\(frame.size.rows)A\r\u{1B}7".utf8)
    }

    /// Returns the commands that send the image `id` and show it at the cursor.
    ///
    /// With placeholders, the image is shown where its placeholder characters are written.
    package func commands(for image: PixelImage, id: UInt32) -> [UInt8] {
        let picture = PictureEncoder.encode(
            image.pixels(),
            for: graphics,
            budget: budget.scaled(toPixels: image.size.pixelCount)
        )
        let (columns, rows) = (image.box.columns, image.box.rows)
        var command: [UInt8] = []
        switch graphics {
        case .kittyPlaceholders, .kitty:
            let isPlaceholder = graphics == .kittyPlaceholders
            KittyCommand.transmit(
                id: id,
                picture: picture,
                columns: columns,
                rows: rows,
                placeholder: isPlaceholder,
                to: &command
            )
            guard !isPlaceholder else { return passed(command) }
            KittyCommand.place(id: id, placement: 1, columns: columns, rows: rows, to: &command)
        case .iterm:
            ITermCommand.image(picture, columns: columns, rows: rows, to: &command)
        case .sixel:
            command = picture.payload
        }
        return command
    }

    /// Returns the commands, wrapped if they must pass through tmux.
    package func passed(_ commands: [UInt8]) -> [UInt8] {
        passesThroughTmux ? TmuxPassThrough.wrap(commands) : commands
    }
}
