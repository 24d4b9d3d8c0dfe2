import CLinux
package import Decoders
import Glibc

/// The process's terminal: its device, and the properties that distinguish it from another terminal
/// that later uses the same device.
package struct TerminalIdentity: Equatable, Sendable {
    /// The name of the device, such as `pts-3`, which can be used as a file name.
    package let device: String
    /// The creation time of the device and the variables set by terminals, as one line.
    package let mark: String
    /// The size of the window in cells, or nil if it is unknown.
    package var screen: ScreenSize?
    /// The size of the window in pixels, or nil if it is unknown.
    package var windowPixels: PixelSize?

    /// Creates an identity for tests or for a process's terminal.
    package init(
        device: String,
        mark: String,
        screen: ScreenSize? = nil,
        windowPixels: PixelSize? = nil
    ) {
        (self.device, self.mark) = (device, mark)
        (self.screen, self.windowPixels) = (screen, windowPixels)
    }

    /// The variables that differ between terminals.
    ///
    /// A multiplexer counts as a separate terminal.
    private static let variables = [
        "TERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "COLORTERM", "TMUX", "STY", "ZELLIJ",
        "KITTY_WINDOW_ID", "KITTY_PID", "WEZTERM_PANE", "WINDOWID", "VTE_VERSION",
        "KONSOLE_VERSION", "GHOSTTY_RESOURCES_DIR", "LC_TERMINAL", "SSH_TTY", "SSH_CONNECTION",
    ]

    /// Returns the identity of the process's terminal, or nil if the process has none.
    ///
    /// Each window has a new pseudo-terminal, so the change time of its inode differs even if its
    /// number is reused.
    package static func current(
        variable: (String) -> String = TerminalEnvironment.variable
    ) -> TerminalIdentity? {
        guard let path = path(), path.hasPrefix("/dev/") else { return nil }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return nil }
        let created = "\(status.st_ctim.tv_sec).\(status.st_ctim.tv_nsec)"
        let values = variables.map { "\($0)=\(variable($0).printableASCII)" }
        var identity = TerminalIdentity(
            device: String(path.dropFirst(5).map { $0 == "/" ? "-" : $0 }),
            mark: ([created] + values).joined(separator: " ")
        )
        identity.measure(path)
        return identity
    }

    /// The TIOCGDEV `ioctl` request, which returns the real device of `/dev/tty`.
    private static let deviceRequest: UInt = 0x8004_5432

    /// Returns the path of the terminal's device.
    private static func path() -> String? {
        for descriptor in [STDOUT_FILENO, STDIN_FILENO, STDERR_FILENO] {
            guard isatty(descriptor) == 1, let name = ttyname(descriptor) else { continue }
            return String(cString: name)
        }
        // All descriptors are redirected. A program such as fzf shares its controlling terminal
        // with the commands that it runs.
        let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        var number: UInt32 = 0
        guard ioctl(terminal, deviceRequest, &number) == 0 else { return nil }
        let major = number >> 8 & 0xFFF
        let minor = number & 0xFF | number >> 12 & 0xFFF00
        guard (136...143).contains(major) else { return nil }
        return "/dev/pts/\((major - 136) << 8 | minor)"
    }

    private mutating func measure(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return }
        if size.ws_col > 0, size.ws_row > 0 {
            screen = ScreenSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
        }
        if size.ws_xpixel > 0, size.ws_ypixel > 0 {
            windowPixels = PixelSize(width: Int(size.ws_xpixel), height: Int(size.ws_ypixel))
        }
    }
}

/// The replies of a terminal as short text, stored to save another process from querying the
/// terminal again.
package struct TerminalRecord: Equatable, Sendable {
    private let mark: String
    private let replies: TerminalReplies
    /// The size of the window in cells and in pixels, which determines the size of a cell.
    private let window: String

    private static let head = "termgallery terminal 1"
    /// The maximum size of a record, in bytes.
    package static let byteLimit = 1 << 14

    /// Creates a record of replies sent by this terminal.
    package init(_ replies: TerminalReplies, of terminal: TerminalIdentity) {
        self.replies = replies
        (mark, window) = (terminal.mark, Self.window(of: terminal))
    }

    /// Parses a record, or returns nil if the text is invalid.
    package init?(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 4, lines[0] == Self.head else { return nil }
        (mark, window) = (String(lines[1]), String(lines[2]))
        var replies = TerminalReplies()
        for line in lines.dropFirst(3) {
            guard let reply = TerminalReply(recorded: line) else { continue }
            _ = replies.take(reply)
        }
        self.replies = replies
    }

    package var text: String {
        let replies = replies.byQuery.values.compactMap(\.recorded).sorted()
        return ([Self.head, mark, window] + replies + [""]).joined(separator: "\n")
    }

    /// Returns the replies if they are from this terminal, or nil otherwise.
    ///
    /// If the cell size has changed since then, for example because of a different font, the
    /// replies about it are omitted.
    package func replies(from terminal: TerminalIdentity) -> TerminalReplies? {
        guard mark == terminal.mark else { return nil }
        guard window != Self.window(of: terminal) else { return replies }
        var kept = TerminalReplies()
        for (query, reply) in replies.byQuery
        where ![.cellSize, .textAreaSize, .reportCellSize].contains(query) {
            _ = kept.take(reply)
        }
        // The reply also indicates support for iTerm2's protocol, so it is kept even without a
        // plausible size.
        if replies.byQuery[.reportCellSize] != nil {
            _ = kept.take(.string(.systemCommand, "1337;ReportCellSize=1;1;1"))
        }
        return kept
    }

    private static func window(of terminal: TerminalIdentity) -> String {
        let (screen, pixels) = (terminal.screen, terminal.windowPixels)
        guard let screen, let pixels else { return "-" }
        return "\(pixels.width / screen.columns)x\(pixels.height / screen.rows)"
    }
}

extension TerminalReply {
    /// The reply as one line, or nil if it contains a line feed.
    fileprivate var recorded: String? {
        let line =
            switch self {
            case .sequence(let text): "[\(text)"
            case .string(let introducer, let text):
                "\(Character(Unicode.Scalar(UInt8(introducer.rawValue))))\(text)"
            }
        return line.utf8.contains(UInt8(ascii: "\n")) ? nil : line
    }

    fileprivate init?(recorded line: Substring) {
        guard let first = line.unicodeScalars.first else { return nil }
        let text = String(line.dropFirst())
        if first == "[" {
            self = .sequence(text)
        } else if let introducer = Introducer(rawValue: first.value) {
            self = .string(introducer, text)
        } else {
            return nil
        }
    }
}
