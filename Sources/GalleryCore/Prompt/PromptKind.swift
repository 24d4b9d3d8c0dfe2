/// The purpose of a prompt.
///
/// Switches over this type have no default case, so the compiler reports every switch that must
/// handle a new case.
enum PromptKind: Hashable, Sendable {
    /// A command after a colon.
    case command
    /// Text to search for.
    case search
    /// A filter.
    case filter
    /// A confirmation before clearing the disk cache.
    case clearDisk
    /// A confirmation before moving files to the trash.
    case trash
    /// A shell command for the marked images, or for the selected image if no image is marked.
    ///
    /// The file names are passed as arguments or as lines of input.
    case shell(asLines: Bool)

    /// Whether the user can recall earlier lines with the arrow keys.
    var keepsHistory: Bool {
        switch self {
        case .command, .search, .filter, .shell: true
        case .clearDisk, .trash: false
        }
    }

    /// Whether text can be pasted, which is not allowed in confirmations.
    var takesPaste: Bool {
        switch self {
        case .command, .search, .filter, .shell: true
        case .clearDisk, .trash: false
        }
    }
}
