/// A mouse report from the terminal.
///
/// This type has no side effects.
struct MouseReport: Equatable {
    package var button: Int
    /// The column, counted from 1.
    package var column: Int
    /// The row, counted from 1.
    package var row: Int

    /// Parses `button ; column ; row`, or returns nil if the text is invalid.
    ///
    /// This is the text between `ESC [ <` and `M`.
    init?(parameters: Substring) {
        let parts = parameters.split(separator: ";", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Self.number($0) }
        guard parts.count == 3, numbers.count == 3 else { return nil }
        (button, column, row) = (numbers[0], numbers[1], numbers[2])
    }

    /// Decodes the three characters after `ESC [ M`.
    ///
    /// Each character is 32 greater than the number that it encodes.
    init(characters: [UInt32]) {
        button = Int(characters[0]) - 32
        column = Int(characters[1]) - 32
        row = Int(characters[2]) - 32
    }

    private static func number(_ digits: Substring) -> Int? {
        guard digits.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
        return digits.isEmpty ? 0 : min(99_999, Int(digits) ?? 99_999)
    }
}

/// Converts mouse reports to events, and distinguishes double clicks from single clicks.
///
/// This type has no side effects.
struct ClickTracker {
    private var last: (row: Int, column: Int, time: Duration)?

    /// The maximum time between the two presses of a double click, as on most desktops.
    private static let doubleClickTime = Duration.milliseconds(400)

    /// Returns the event for a report of a press, a motion or the wheel, or an empty array if the
    /// report is not used.
    ///
    /// Do not pass reports of released buttons (`ESC [ < … m`).
    package mutating func event(of report: MouseReport, now: Duration) -> [InputEvent] {
        let (row, column) = (report.row - 1, report.column - 1)
        let isOnScreen = row >= 0 && column >= 0
        // Bits 2 to 4 are Shift, Meta and Control. Bit 5 indicates motion with a button pressed.
        switch report.button & ~0b11100 {
        case 0 where isOnScreen: return [.mouse(press(row: row, column: column, now: now))]
        case 32 where isOnScreen: return [.mouse(.drag(row: row, column: column))]
        case 1 where isOnScreen, 33 where isOnScreen:
            return [.mouse(.middle(row: row, column: column))]
        case 2 where isOnScreen: return [.mouse(.right(row: row, column: column))]
        case 64: return [.mouse(.wheelUp)]
        case 65: return [.mouse(.wheelDown)]
        default: return []
        }
    }

    /// Returns the event for a press of the left button.
    package mutating func press(row: Int, column: Int, now: Duration) -> Mouse {
        if let last, last.row == row, last.column == column,
            now - last.time <= Self.doubleClickTime
        {
            // A third press counts as a new first press.
            self.last = nil
            return .doublePress(row: row, column: column)
        }
        last = (row, column, now)
        return .press(row: row, column: column)
    }
}
