/// A namespace for choosing another terminfo entry if this machine has no entry for `TERM`.
///
/// This type has no side effects.
///
/// A minimal Debian system has only ncurses-base, which lacks the `*-direct` entries and the
/// entries of newer terminals. All of these terminals understand xterm's sequences.
package enum TerminfoChoice {
    /// Returns the names of the terminfo entries to try, best first.
    package static func candidates(for term: String) -> [String] {
        var names = [term]
        if let family = families.first(where: { term.hasPrefix($0.prefix) }) {
            names += family.relatives
        } else if term.contains("256color") {
            names.append("xterm-256color")
        }
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }

    /// Returns the first entry that `load` finds.
    ///
    /// Throws an error if `load` finds no entry or the entry cannot move the cursor.
    package static func entry(
        for term: String,
        load: (String) -> TerminfoEntry?
    ) throws(TerminalError) -> TerminfoEntry {
        guard !term.isEmpty else { throw .typeNotSet }
        for name in candidates(for: term) {
            guard let entry = load(name) else { continue }
            guard entry.canMoveCursor else { throw .cannotMoveCursor(term) }
            return entry
        }
        throw .unknownType(term)
    }

    private static let families: [(prefix: String, relatives: [String])] =
        [
            ("tmux", ["tmux-256color", "screen-256color", "tmux", "screen"]),
            ("screen", ["screen-256color", "screen"]),
            ("rxvt", ["rxvt-unicode-256color", "rxvt-256color", "rxvt", "xterm-256color"]),
            ("linux", ["linux", "vt220"]),
            ("vt", ["vt220", "vt100"]),
        ]
        + [
            "alacritty", "contour", "foot", "ghostty", "gnome", "iterm", "kitty", "konsole",
            "mintty", "mlterm", "putty", "rio", "st-", "vscode", "vte", "wezterm", "xterm",
        ].map { ($0, ["xterm-256color", "xterm"]) }
}
