import Glibc

/// How a program ended.
enum ExitStatus: Equatable {
    /// By itself, with a code.
    case exited(Int32)
    /// By a signal; a shell shows 128 + its number.
    case killed(by: Int32)

    /// Reads what `waitpid` reports of a process that has ended.
    init(waitStatus status: Int32) {
        self = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .killed(by: status & 0x7F)
    }
}

/// Why a test has no program to drive.
enum PseudoTerminalError: Error {
    /// The system's reason.
    case cannotStart(Int32)
}

/// A terminal's modes as values.
struct TerminalModes: Equatable {
    let flags: [UInt32]
    let characters: [UInt8]

    init(_ modes: termios) {
        flags = [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
        characters = withUnsafeBytes(of: modes.c_cc) { Array($0) }
    }
}
