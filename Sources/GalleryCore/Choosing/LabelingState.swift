/// The state of label mode and of the search for the first item without a label.
///
/// In label mode, digits set labels.
struct LabelingState: Equatable, Sendable {
    /// Whether label mode is on, so that digits set labels.
    private(set) var isOn = false
    /// The number of items when all of them had labels.
    ///
    /// If more items arrive, the search for the first item without a label continues at this index.
    /// The value is nil after such an item was found, after user input, and after a reload.
    private(set) var labeledCount: Int?

    /// Turns label mode on or off.
    ///
    /// Returns a message for the user, or nil if none is needed. `isKept` is true if changes to
    /// labels are saved.
    mutating func toggle(isKept: Bool) -> Notice? {
        isOn.toggle()
        guard isOn else { return Notice("label mode off: digits repeat keys again") }
        return isKept
            ? nil : Notice("labels are not saved; use --labels FILE to keep them", .warning)
    }

    /// Returns the first item without a label at or after index `start`.
    ///
    /// If all these items have labels, the result is nil, and the search can continue when there
    /// are more than `count` items.
    mutating func firstUnlabeled(
        from start: Int,
        count: Int,
        isLabeled: (Int) -> Bool
    ) -> Int? {
        let item = (start..<max(start, count)).first { !isLabeled($0) }
        labeledCount = item == nil ? count : nil
        return item
    }

    /// Ends the search for the first unlabeled item.
    mutating func endSearch() { labeledCount = nil }
}
