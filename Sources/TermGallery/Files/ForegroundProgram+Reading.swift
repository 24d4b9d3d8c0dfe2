import Feeds
import Glibc
import ImageLoading
import SystemSupport

/// Methods that detect whether a program has written output and give the user time to read it.
extension ForegroundProgram {
    /// Shows a line below the program's output and waits for a key.
    mutating func waitForKey(_ text: TerminalText) {
        guard deadlySignal == nil else { return }
        withSingleKeys(discardingInput: true) { program in
            // A Control-C before this point was intended for the program, which has ended.
            program.takeDeadlySignals()
            OutputBytes.write("\r\n\u{1B}[0;7m \(text) \u{1B}[0m", to: program.output)
            while program.deadlySignal == nil {
                program.waitForEither(program.input)
                // In this mode, keys such as Control-C do not send signals.
                program.takeDeadlySignals([SIGTERM, SIGHUP, SIGINT])
                var source = pollfd(fd: program.input, events: Int16(POLLIN), revents: 0)
                guard poll(&source, 1, 0) == 0 else { break }
            }
            _ = OutputBytes.write(Array("\r\n".utf8), to: program.output)
        }
    }

    // MARK: Cursor

    /// The time after which a terminal is considered unresponsive, which is long enough for slow
    /// connections.
    private static let patience = Duration.milliseconds(500)
    /// The number of rows to keep free below the cursor.
    ///
    /// A program can write this number of lines without scrolling the screen.
    private static let room = 3

    /// Returns the cursor position reported by the terminal, or nil if the terminal doesn't
    /// respond.
    mutating func cursor() -> CursorReport? {
        guard deadlySignal == nil else { return nil }
        var report: CursorReport?
        withSingleKeys(discardingInput: false) { program in
            guard OutputBytes.write(Array("\u{1B}[6n".utf8), to: program.output) else { return }
            var bytes: [UInt8] = []
            let end = ContinuousClock.now + Self.patience
            while report == nil, ContinuousClock.now < end {
                let left = ContinuousClock.now.duration(to: end).pollMilliseconds
                var source = pollfd(fd: program.input, events: Int16(POLLIN), revents: 0)
                guard poll(&source, 1, max(0, left)) > 0 else { break }
                var piece = [UInt8](repeating: 0, count: 256)
                let count = read(program.input, &piece, piece.count)
                guard count > 0 else { break }
                bytes += piece[..<count]
                report = CursorReport(in: bytes)
            }
        }
        return report
    }

    /// Scrolls the screen until `room` rows below the cursor are free, and returns the cursor
    /// position.
    ///
    /// A line of output on the last row would scroll the screen and leave the cursor on the same
    /// row, so the output could not be detected.
    mutating func cursorWithRoomBelow() -> CursorReport? {
        let feeds = String(repeating: "\n", count: Self.room)
        let text = "\r\(feeds)\u{1B}[\(Self.room)A"
        guard isatty(output) == 1, OutputBytes.write(Array(text.utf8), to: output) else {
            return nil
        }
        return cursor()
    }

    // MARK: Keys

    /// Runs `body` while the terminal delivers individual key presses.
    ///
    /// The keys are not echoed, and keys such as Control-C do not send signals.
    private mutating func withSingleKeys(
        discardingInput isDiscarding: Bool,
        _ body: (inout ForegroundProgram) -> Void
    ) {
        var before = termios()
        guard isatty(input) == 1, tcgetattr(input, &before) == 0 else { return }
        var modes = before
        modes.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
        tcsetattr(input, isDiscarding ? TCSAFLUSH : TCSADRAIN, &modes)
        body(&self)
        tcsetattr(input, isDiscarding ? TCSAFLUSH : TCSADRAIN, &before)
    }
}

/// A terminal's report of its cursor position: `ESC [ row ; column R`.
struct CursorReport: Equatable {
    let row: Int
    let column: Int

    /// Parses the first report in `bytes`, or returns nil if `bytes` contains no report.
    ///
    /// `bytes` may also contain keys that the user pressed.
    init?(in bytes: [UInt8]) {
        for start in bytes.indices where bytes[start...].starts(with: [0x1B, 0x5B]) {
            let rest = bytes[(start + 2)...]
            guard let end = rest.firstIndex(of: UInt8(ascii: "R")) else { continue }
            let numbers = rest[..<end].split(separator: UInt8(ascii: ";"))
                .map { Int(String(decoding: $0, as: UTF8.self)) }
            guard numbers.count == 2, let row = numbers[0], let column = numbers[1] else {
                continue
            }
            (self.row, self.column) = (row, column)
            return
        }
        return nil
    }
}
