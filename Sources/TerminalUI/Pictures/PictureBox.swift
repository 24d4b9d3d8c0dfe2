/// Draws frames in a box on the screen of another program.
///
/// This type has no side effects. The images have fixed numbers, so an image replaces the previous
/// one even if the process that drew it was killed.
package struct PictureBox {
    /// The writer that outputs pixels, or nil if images are drawn with characters.
    package let pictures: PictureLines?
    /// The number of the first image.
    package let firstID: UInt32
    /// The maximum number of images in a box.
    package static let imageLimit = 12

    package init(pictures: PictureLines?, firstID: UInt32) {
        self.pictures = pictures
        self.firstID = firstID
    }

    /// Ends a control string that a killed process may have left incomplete.
    private static let begin = Array("\u{1B}\\".utf8)

    /// Returns the bytes that erase the box and draw a frame at its upper-left corner.
    ///
    /// The cursor stays inside the box during drawing, and its position is saved and restored. The
    /// box must be on the screen. Any part of the frame outside the box is cut off.
    package func bytes(of frame: Frame, in rect: FrameRect) -> [UInt8] {
        var shown = Frame(size: ScreenSize(columns: rect.columns, rows: rect.rows))
        shown.draw(frame, row: 0, column: 0)
        var bytes = Self.begin + Array("\u{1B}7\u{1B}[0m".utf8)
        if pictures?.graphics == .kitty { bytes += deletions() }
        var images: [UInt8] = []
        for (index, placed) in drawn(shown).enumerated() {
            let id = firstID + UInt32(index)
            if !showsPlaceholders {
                CursorMove.append(
                    row: rect.row + placed.row,
                    column: rect.column + placed.column,
                    to: &images
                )
            }
            images += pictures?.commands(for: placed.image, id: id) ?? []
            replaceCells(of: placed, id: id, in: &shown)
        }
        // Placeholders are shown only after the terminal has received their image.
        if showsPlaceholders { bytes += images }
        var writer = ByteWriter()
        for row in 0..<rect.rows {
            writer.append(bytes: Self.erased(row: rect.row + row, rect))
            FrameLines.append(row: row, of: shown, writesPlaceholders: true, to: &writer)
        }
        bytes += writer.bytes
        if !showsPlaceholders { bytes += images }
        return bytes + Array("\u{1B}8".utf8)
    }

    /// Returns a frame as lines of text without cursor movement and without a final line feed.
    ///
    /// The program that reads the lines draws them, and passes image commands on to the terminal.
    /// After an image without placeholders, fzf itself moves the cursor below the image, so the
    /// rows of the image are omitted. If a frame has several such images, they are drawn with
    /// characters.
    package func lines(of frame: Frame) -> [UInt8] {
        var frame = frame
        var writer = ByteWriter()
        var firstRow = 0
        let images = drawn(frame)
        if showsPlaceholders {
            for (index, placed) in images.enumerated() {
                let id = firstID + UInt32(index)
                writer.append(bytes: pictures?.commands(for: placed.image, id: id) ?? [])
                replaceCells(of: placed, id: id, in: &frame)
            }
        } else if let placed = images.first, images.count == 1, placed.row == 0 {
            writer.append(bytes: pictures?.commands(for: placed.image, id: firstID) ?? [])
            firstRow = placed.image.box.rows
        }
        for row in firstRow..<frame.size.rows {
            if row > firstRow { writer.append(UInt8(ascii: "\n")) }
            FrameLines.append(row: row, of: frame, writesPlaceholders: true, to: &writer)
        }
        return writer.bytes
    }

    /// Returns the bytes that remove the images from the box.
    ///
    /// kitty deletes them by number. Other images, and images drawn with characters, are erased
    /// along with the whole box, so the other program must draw it again afterward.
    package func clearing(_ rect: FrameRect) -> [UInt8] {
        let isKitty = [.kitty, .kittyPlaceholders].contains(pictures?.graphics)
        guard !isKitty else { return Self.begin + deletions() }
        var bytes = Self.begin + Array("\u{1B}7\u{1B}[0m".utf8)
        for row in 0..<rect.rows { bytes += Self.erased(row: rect.row + row, rect) }
        return bytes + Array("\u{1B}8".utf8)
    }

    private var showsPlaceholders: Bool { pictures?.graphics == .kittyPlaceholders }

    /// The images in a frame that are shown as pixels.
    private func drawn(_ frame: Frame) -> ArraySlice<PlacedImage> {
        guard let graphics = pictures?.graphics else { return [] }
        return frame.images.filter { graphics.canShow($0.image.box) }.prefix(Self.imageLimit)
    }

    /// Replaces the cells of an image with its placeholders, or with blanks that its pixels cover.
    private func replaceCells(of placed: PlacedImage, id: UInt32, in frame: inout Frame) {
        let box = placed.image.box
        let (row, column) = (placed.row, placed.column)
        guard !showsPlaceholders else {
            return frame.replaceCells(row: row, column: column, box: box, withPicture: id)
        }
        let rect = FrameRect(row: row, column: column, rows: box.rows, columns: box.columns)
        frame.restyle(rect) { $0 = FrameCell() }
    }

    /// Returns the commands that delete all images in the box.
    ///
    /// A terminal that receives such a command also discards a partially received image.
    private func deletions() -> [UInt8] {
        var commands: [UInt8] = []
        for index in 0..<UInt32(Self.imageLimit) {
            KittyCommand.deleteImage(id: firstID + index, to: &commands)
        }
        return pictures?.passed(commands) ?? []
    }

    /// Returns the bytes that move the cursor to a row of the box and erase the row.
    private static func erased(row: Int, _ rect: FrameRect) -> [UInt8] {
        var bytes: [UInt8] = []
        CursorMove.append(row: row, column: rect.column, to: &bytes)
        return bytes + Array("\u{1B}[\(rect.columns)X".utf8)
    }
}
