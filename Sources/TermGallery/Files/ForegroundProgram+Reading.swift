import Glibc
import ImageLoading

/// Whether there is something to read of what a program wrote, and the time to read it.
extension ForegroundProgram {
    /// Shows a line below what the program wrote, and waits for a key.
    mutating func waitForKey(_ text: String) {
        guard deadlySignal == nil else { return }
        withSingleKeys(discardingInput: true) { program in
            let line = "\r\n\u{1B}[0;7m \(text) \u{1B}[0m"
            _ = OutputBytes.write(Array(line.utf8), to: program.output)
            while program.deadlySignal == nil {
                program.waitForEither(program.input)
                program.takeDeadlySignals()
                var source = pollfd(fd: program.input, events: Int16(POLLIN), revents: 0)
                guard poll(&source, 1, 0) == 0 else { break }
            }
            _ = OutputBytes.write(Array("\r\n".utf8), to: program.output)
        }
    }

    // MARK: Cursor

    /// A terminal that doesn't answer within that time is taken for one that never does; the way to it
    /// may be long.
    private static let patience = Duration.milliseconds(500)
    /// Rows below the cursor that a program can write on before the screen moves.
    private static let room = 3

    /// Where the cursor is, by the terminal's own word; nil if it doesn't say.
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

    /// The same, with a few free rows below it: whatever is written there moves it.
    ///
    /// On the last row a line would leave it where it was.
    mutating func cursorWithRoomBelow() -> CursorReport? {
        let feeds = String(repeating: "\n", count: Self.room)
        let text = "\r\(feeds)\u{1B}[\(Self.room)A"
        guard isatty(output) == 1, OutputBytes.write(Array(text.utf8), to: output) else {
            return nil
        }
        return cursor()
    }

    // MARK: Keys

    /// Keys come one by one meanwhile, unseen, and none of them is a signal.
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

/// What a terminal says of its cursor: `ESC [ row ; column R`.
struct CursorReport: Equatable {
    let row: Int
    let column: Int

    /// The first one among bytes that may be keys too.
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
