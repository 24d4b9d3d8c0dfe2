/// What something outside the gallery is to do with pictures.
public enum OutsideRequest: Equatable, Sendable {
    /// Show an item in another program.
    case open(item: Int)
    /// Save items as files in the current folder.
    case save(items: [Int])
    /// Run a command on items: their files as its arguments, or as lines on its standard input.
    case run(command: String, items: [Int], asLines: Bool)
    /// Move the files of items to the trash.
    case trash(items: [Int])
    /// Move them back to where they were.
    case putBack(items: [Int])
    /// Bring text to the clipboard of the terminal.
    case copy(String)
}
