/// What tmux says of the terminal outside it, and of what it lets through.
///
/// Pure.
struct TmuxClient: Equatable, Sendable {
    /// The terminal that the session is shown on; nil if tmux doesn't know.
    var terminal: TerminalName?
    /// `allow-passthrough` is on.
    var passesThrough: Bool

    /// What tmux is asked: a line for each.
    static let format = "#{client_termtype}\n#{allow-passthrough}"

    init(terminal: TerminalName?, passesThrough: Bool) {
        (self.terminal, self.passesThrough) = (terminal, passesThrough)
    }

    /// Reads the answer; nil if it is none.
    init?(output: String) {
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 2 else { return nil }
        terminal = TerminalName(lines[0])
        // A number in 3.3, a word in later ones.
        passesThrough = ["1", "2", "on", "all"].contains(lines[1])
    }
}
