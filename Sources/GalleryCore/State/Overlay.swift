/// What lies over the gallery and takes the keys.
enum Overlay: Equatable, Sendable {
    /// The key table, from this line on.
    case help(scroll: Int)
    /// Asks before the disk cache is emptied.
    case confirmClearDisk
    /// A number is typed: an item's, or a percentage.
    case goTo(String)
}
