import GalleryCore

/// What the mouse did, as terminals report it.
///
/// Pure.
struct MouseReport: Equatable {
    var button: Int
    /// From 1.
    var column: Int
    /// From 1.
    var row: Int

    /// Reads `button ; column ; row`, what stands in `ESC [ < … M`; nil if it is something else.
    init?(parameters: Substring) {
        let parts = parameters.split(separator: ";", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Self.number($0) }
        guard parts.count == 3, numbers.count == 3 else { return nil }
        (button, column, row) = (numbers[0], numbers[1], numbers[2])
    }

    /// Reads the three characters after `ESC [ M`, each 32 more than its number.
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

/// Makes mouse events of reports; tells a double click from two clicks.
///
/// Pure.
struct ClickTracker {
    private var last: (row: Int, column: Int, time: Duration)?

    /// Two presses on one cell within this time are a double click, as on most desktops.
    private static let doubleClickTime = Duration.milliseconds(400)

    /// The event that a report (`ESC [ < … M`, not of a release) tells of, if any.
    mutating func event(of report: MouseReport, now: Duration) -> [InputEvent] {
        let (row, column) = (report.row - 1, report.column - 1)
        let isOnScreen = row >= 0 && column >= 0
        // Bits 2-4 are Shift, Meta and Control, bit 5 a motion with a button down.
        switch report.button & ~0b11100 {
        case 0 where isOnScreen: return [.mouse(press(row: row, column: column, now: now))]
        case 32 where isOnScreen: return [.mouse(.drag(row: row, column: column))]
        case 1 where isOnScreen, 33 where isOnScreen:
            return [.mouse(.middle(row: row, column: column))]
        case 64: return [.mouse(.wheelUp)]
        case 65: return [.mouse(.wheelDown)]
        default: return []
        }
    }

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
