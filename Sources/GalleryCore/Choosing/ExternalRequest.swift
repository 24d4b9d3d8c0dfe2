/// How a command receives file names.
package enum NamePassing: Hashable, Sendable {
    /// The names are passed as arguments.
    case arguments
    /// The names are passed as lines on standard input.
    case lines
    /// The names are passed on standard input, each followed by a NUL byte.
    ///
    /// Names may contain line breaks.
    case zeroEnded
}

/// A request to perform an action outside the gallery, usually on images.
package enum ExternalRequest: Equatable, Sendable {
    /// Open an item in another program.
    case open(item: Int)
    /// Save items as files in the current folder.
    case save(items: [Int])
    /// Run a command on items.
    case run(command: String, items: [Int], names: NamePassing)
    /// Write the URLs and captions of items to a feed.
    case write(file: String, ItemOrder, overwrites: Bool)
    /// Move the files of items to the trash.
    case trash(items: [Int])
    /// Restore the files of items from the trash.
    case putBack(items: [Int])
    /// Copy text to the clipboard of the terminal.
    case copy(String)
}
