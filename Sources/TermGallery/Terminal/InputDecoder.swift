import GalleryCore

/// Makes keys and mouse events of what ncurses reads.
///
/// Pure. ncurses gives sequences that it doesn't know as loose characters; taken for keys, a
/// stray reply of the terminal would clear caches. Those are swallowed: within one reading an
/// Esc is followed by `[` or `O` only when a terminal, not a person, sends it.
struct InputDecoder {
    private enum State: Equatable {
        case ground
        /// Esc came, and nothing yet after it.
        case escape
        /// Inside a sequence that nobody knows, up to its final byte.
        case unknownSequence
        /// After Esc O: one more character.
        case unknownKey
        /// Inside `ESC [ <`: the numbers so far.
        case mouse([Int])
        /// Inside `ESC [ M`: the bytes so far.
        case oldMouse([Int])
    }

    private var state = State.ground
    private var clicks = ClickTracker()

    /// The event that this key completes, if any.
    ///
    /// `now` is any steady clock.
    mutating func take(_ key: CursesKey, now: Duration) -> [InputEvent] {
        switch key {
        case .code(CursesKey.mouse):
            return flush(to: .mouse([0]))
        case .code(CursesKey.oldMouse):
            return flush(to: .oldMouse([]))
        case .code(let code):
            return flush() + (CursesKey.key(code: code).map { [.key($0)] } ?? [])
        case .character(let scalar):
            return take(scalar, now: now)
        }
    }

    /// No more input waits: an Esc was the key itself.
    mutating func endOfReading() -> [InputEvent] {
        guard state == .escape else { return [] }
        return flush()
    }

    private mutating func flush(to next: State = .ground) -> [InputEvent] {
        defer { state = next }
        return state == .escape ? [.key(.escape)] : []
    }

    private mutating func take(_ scalar: UInt32, now: Duration) -> [InputEvent] {
        switch state {
        case .ground:
            if scalar == 0x1B { return flush(to: .escape) }
            return Key(scalar: scalar).map { [.key($0)] } ?? []
        case .escape:
            return takeAfterEscape(scalar, now: now)
        case .unknownSequence:
            if (0x40...0x7E).contains(scalar) { state = .ground }
            return []
        case .unknownKey:
            state = .ground
            return []
        case .mouse(let numbers):
            return takeMouse(scalar, numbers: numbers, now: now)
        case .oldMouse(let bytes):
            return takeOldMouse(scalar, bytes: bytes, now: now)
        }
    }

    private mutating func takeAfterEscape(_ scalar: UInt32, now: Duration) -> [InputEvent] {
        switch scalar {
        case 0x5B: state = .unknownSequence
        case 0x4F: state = .unknownKey
        default:
            return flush() + take(scalar, now: now)
        }
        return []
    }

    /// `ESC [ < button ; column ; row M` (pressed) or `m` (released), from 1.
    private mutating func takeMouse(
        _ scalar: UInt32,
        numbers: [Int],
        now: Duration
    ) -> [InputEvent] {
        var numbers = numbers
        switch scalar {
        case 0x30...0x39:
            numbers[numbers.count - 1] = min(
                99_999,
                numbers[numbers.count - 1] * 10 + Int(scalar - 0x30)
            )
            state = .mouse(numbers)
        case 0x3B where numbers.count < 3:
            state = .mouse(numbers + [0])
        default:
            state = (0x40...0x7E).contains(scalar) ? .ground : .unknownSequence
            guard scalar == 0x4D, numbers.count == 3 else { return [] }
            return mouse(button: numbers[0], column: numbers[1], row: numbers[2], now: now)
        }
        return []
    }

    /// `ESC [ M` and three characters, each 32 more than its number.
    private mutating func takeOldMouse(
        _ scalar: UInt32,
        bytes: [Int],
        now: Duration
    ) -> [InputEvent] {
        let bytes = bytes + [Int(scalar) - 32]
        guard bytes.count == 3 else {
            state = .oldMouse(bytes)
            return []
        }
        state = .ground
        return mouse(button: bytes[0], column: bytes[1], row: bytes[2], now: now)
    }

    private mutating func mouse(
        button: Int,
        column: Int,
        row: Int,
        now: Duration
    ) -> [InputEvent] {
        // Bits 2-4 are Shift, Meta and Control.
        switch button & ~0b11100 {
        case 0 where row > 0 && column > 0:
            [.mouse(clicks.press(row: row - 1, column: column - 1, now: now))]
        case 64: [.mouse(.wheelUp)]
        case 65: [.mouse(.wheelDown)]
        default: []
        }
    }
}

extension Key {
    /// The key that types a character; nil for control characters without one.
    fileprivate init?(scalar: UInt32) {
        switch scalar {
        case 0x0A, 0x0D: self = .enter
        case 0x08, 0x7F: self = .backspace
        case 0x09: self = .control("i")
        case 0x01...0x1A:
            self = .control(Character(Unicode.Scalar(UInt8(scalar) + 0x60)))
        case 0x20...0x7E, 0xA0...:
            guard let character = Unicode.Scalar(scalar) else { return nil }
            self = .character(Character(character))
        default: return nil
        }
    }
}

/// Tells a double click from two clicks.
///
/// Pure.
struct ClickTracker {
    private var last: (row: Int, column: Int, time: Duration)?

    /// Two presses on one cell within this time are a double click, as on most desktops.
    private static let doubleClickTime = Duration.milliseconds(400)

    /// What a press of the first button is.
    mutating func press(row: Int, column: Int, now: Duration) -> Mouse {
        if let last, last.row == row, last.column == column,
            now - last.time <= Self.doubleClickTime
        {
            // A third press is a first one again.
            self.last = nil
            return .doublePress(row: row, column: column)
        }
        last = (row, column, now)
        return .press(row: row, column: column)
    }
}
