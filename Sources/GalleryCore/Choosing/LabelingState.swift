/// The state of label mode, in which digits set labels, and of the search for an unlabeled item.
struct LabelingState: Equatable, Sendable {
    private(set) var isOn = false
    /// The number of items in the feed when a search found that all items had labels.
    ///
    /// If more items arrive, the search for the first unlabeled item continues at this index. The
    /// value is nil after an unlabeled item is found, after user input, and after a reload.
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

    /// Returns the first unlabeled item at or after index `start`, or nil if all of these items
    /// have labels.
    ///
    /// If there is no unlabeled item, `count` is stored in `labeledCount`, and the search continues
    /// when more items arrive.
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
