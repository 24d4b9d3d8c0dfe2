import Glibc

/// Why there is no terminal to draw the gallery on.
///
/// `description` is one line for people.
enum TerminalError: Error, Equatable, CustomStringConvertible {
    /// Neither standard input and output nor `/dev/tty` is a terminal.
    case notATerminal
    /// `TERM` is not set.
    case typeNotSet
    /// No terminfo entry for this `TERM`, nor for a relative of it.
    case unknownType(String)
    /// The entry has no way to place the cursor.
    case cannotMoveCursor(String)
    /// A system call failed.
    case system(call: String, code: Int32)

    var description: String {
        switch self {
        case .notATerminal:
            "no terminal to draw on; use `termgallery print` to write pictures to standard output"
        case .typeNotSet:
            "TERM is not set, so nothing is known of the terminal; "
                + "set it, or use `termgallery print`"
        case .unknownType(let name):
            "the terminal type “\(Self.printable(name))” is not in this machine's terminfo; "
                + "set TERM to one that is (xterm-256color), or use `termgallery print`"
        case .cannotMoveCursor(let name):
            "a terminal of type “\(Self.printable(name))” can't move its cursor; use `termgallery print`"
        case .system(let call, let code):
            "the terminal can't be used: \(call): \(String(cString: strerror(code))); "
                + "`termgallery print` needs none"
        }
    }

    /// What the environment says may hold anything.
    private static func printable(_ name: String) -> String {
        String(
            String.UnicodeScalarView(
                name.unicodeScalars.filter { (0x20..<0x7F).contains($0.value) }.prefix(64)
            )
        )
    }
}
