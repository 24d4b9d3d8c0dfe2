/// The exit codes of the program; the man page lists them.
enum ExitStatus: Int32 {
    case success = 0
    /// Some pictures failed (`print`, `fetch`).
    case someFailed = 1
    /// The command line makes no sense.
    case usage = 2
    /// The feed can't be read; `EX_NOINPUT` of sysexits.h.
    case feedUnreadable = 66
    /// No terminal to draw on; `EX_UNAVAILABLE`.
    case terminalUnavailable = 69
    /// Something the program needs is missing or broken, such as a port; `EX_OSERR`.
    case systemFailure = 71
}

/// Ends the program with a code and, if there is one, a line on standard error.
struct ProgramFailure: Error, Equatable {
    let status: ExitStatus
    /// One line without the program's name, or nil if everything has been said.
    let message: String?

    init(_ status: ExitStatus, _ message: String? = nil) {
        self.status = status
        self.message = message
    }
}
