import Decoders
import GalleryCore
import TerminalGraphics

/// Writes a frame as lines with pictures in pixels among them, for output that scrolls by.
struct PictureLines {
    let graphics: GraphicsProtocol
    /// What a thumbnail may cost.
    let budget: GraphicsBudget
    /// Whether tmux has to hand the pictures on.
    let passesThroughTmux: Bool
    private var lastID: UInt32

    /// `firstID` keeps the pictures apart from those that other calls have printed, which are still
    /// to be seen further up.
    init(
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

    /// The frame's lines, each with its end.
    mutating func bytes(of frame: Frame) -> [UInt8] {
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

    /// Scrolls until the lines are free, goes back to the first, and remembers the place.
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
        // Where the cursor is after a picture differs from terminal to terminal.
        bytes += Array("\u{1B}8".utf8)
    }
}
