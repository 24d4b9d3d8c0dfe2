/// What shows through the transparent parts of an image, and stands where nothing has come yet.
///
/// Two colours near to the theme's ground, so that the image is seen and not its transparency.
struct Backdrop: Hashable, Sendable {
    /// What an image lies on.
    let card: RGB
    /// What is still to come of it.
    let pending: RGB

    /// One colour, for an image of which parts are still to come: those are transparent in it.
    var pendingOnly: Backdrop { Backdrop(card: pending, pending: pending) }

    /// The colour of a cell; squares are two cells wide and one high.
    func color(row: Int, column: Int) -> RGB {
        (row + column / 2).isMultiple(of: 2) ? card : pending
    }
}

extension RGB {
    /// What a cell's colour looks like; the terminal's own is taken for black.
    init(_ color: CellColor) {
        switch color.kind {
        case .terminalDefault: self.init(red: 0, green: 0, blue: 0)
        case .palette(let index):
            self = index < 16 ? Palette.ansi16.color(of: index) : Palette.xterm256.color(of: index)
        case .rgb(let red, let green, let blue):
            self.init(red: Int(red), green: Int(green), blue: Int(blue))
        }
    }
}
