import GalleryCore

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
