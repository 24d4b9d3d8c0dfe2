/// Replies that a terminal is assumed to send, based on the environment.
///
/// Assumed replies are used if the terminal must not be queried because another program reads its
/// input.
extension TerminalReplies {
    /// Creates the replies of the terminal named by the environment.
    ///
    /// A variable may have been inherited from another terminal, so either `TERM` must match or the
    /// variable must be one that most terminals set themselves. The version is unknown, so kitty is
    /// assumed not to support Unicode placeholders.
    package init(assumedFrom variable: (String) -> String) {
        self.init()
        let (term, program) = (variable("TERM"), variable("TERM_PROGRAM"))
        guard variable("STY").isEmpty, variable("ZELLIJ").isEmpty else { return }
        if !variable("TMUX").isEmpty {
            assume(name: "tmux")
        } else if term == "xterm-kitty" {
            assume(name: "kitty", kitty: true)
        } else if term == "xterm-ghostty" || program == "ghostty" {
            assume(name: "ghostty", kitty: true)
        } else if term.hasPrefix("foot") {
            assume(name: "foot", sixel: true)
        } else if term.hasPrefix("contour") {
            assume(name: "contour", sixel: true)
        } else if term.hasPrefix("mlterm") {
            assume(name: "mlterm", sixel: true)
        } else if program == "WezTerm", !variable("WEZTERM_PANE").isEmpty {
            assume(name: "WezTerm")
        } else if program == "iTerm.app" || variable("LC_TERMINAL") == "iTerm2" {
            assume(name: "iTerm2")
        }
    }

    private mutating func assume(name: String, kitty: Bool = false, sixel: Bool = false) {
        _ = take(.string(.deviceControl, ">|\(name)"))
        if sixel { _ = take(.sequence("?62;4c")) }
        if kitty {
            _ = take(.string(.applicationCommand, "Gi=\(TerminalQuery.kittyDirect.kittyID);OK"))
        }
    }
}
