/// A way in which a terminal shows pixels.
public enum GraphicsProtocol: String, Hashable, Sendable, CaseIterable {
    /// kitty's graphics protocol; pictures stand where placeholder characters are written, and so
    /// scroll and are covered as text is.
    case kittyPlaceholders = "kitty-placeholders"
    /// kitty's graphics protocol; pictures are placed over the text and taken away by name.
    case kitty
    /// iTerm2's inline images: files in an escape sequence.
    case iterm
    /// DEC's sixels: strips of six rows in a palette of registers.
    case sixel

    /// What people call it, on the command line too.
    public var title: String {
        switch self {
        case .kittyPlaceholders, .kitty: "kitty"
        case .iterm: "iterm"
        case .sixel: "sixel"
        }
    }
}
