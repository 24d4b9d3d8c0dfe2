internal import BitCollections
package import Feeds

/// The marks and labels that the user has set, and the changes that the user can undo.
///
/// Marks are set per item, and are kept when the items are filtered or sorted. Labels are set per
/// URL, as in the label file, so an image that occurs twice in a feed has one label.
struct Choices: Sendable {
    private(set) var marks = BitSet()
    private(set) var labels: [String: UInt8] = [:]
    /// The most recently marked item, which is the start of the next marked range.
    private(set) var lastMark: Int?
    private var history: [Step] = []

    /// A change that can be undone, and the item to select after undoing it.
    struct Step: Equatable, Sendable {
        enum Change: Equatable, Sendable {
            /// The mark of one item was toggled.
            case toggled
            /// The marks of several items changed.
            ///
            /// The value contains the previous marks.
            case marks(BitSet)
            /// The label of a URL changed.
            ///
            /// The values are the URL and its previous label, or nil if it had no label.
            case label(String, UInt8?)
            /// Files were moved to the trash.
            ///
            /// The values are their items and the previous marks.
            case trashed([Int], BitSet)
        }

        let change: Change
        let item: Int
    }

    /// The maximum number of changes that can be undone.
    private static let longestHistory = 500

    func isMarked(_ item: Int) -> Bool { marks.contains(item) }

    mutating func toggleMark(_ item: Int) {
        remember(Step(change: .toggled, item: item))
        toggle(item)
    }

    /// Marks several items, and returns how many of them were not marked before.
    ///
    /// `item` is the last of the items.
    mutating func mark(_ items: some Sequence<Int>, to item: Int) -> Int {
        let before = marks
        for item in items { marks.insert(item) }
        lastMark = item
        let count = marks.count - before.count
        if count > 0 { remember(Step(change: .marks(before), item: item)) }
        return count
    }

    /// Inverts the marks of several items.
    ///
    /// `item` is the selected item, which an undo selects again.
    mutating func invert(_ items: some Sequence<Int>, at item: Int) {
        remember(Step(change: .marks(marks), item: item))
        for item in items where !marks.insert(item).inserted { marks.remove(item) }
        lastMark = nil
    }

    /// Removes all marks, and returns the number of images that were marked.
    ///
    /// `item` is the selected item, which an undo selects again.
    mutating func unmarkAll(at item: Int) -> Int {
        let count = marks.count
        if count > 0 { remember(Step(change: .marks(marks), item: item)) }
        marks = BitSet()
        lastMark = nil
        return count
    }

    /// Sets or removes the label of an item's URL.
    ///
    /// Returns the change to save, or nil if the label does not change.
    mutating func label(
        _ feedItem: FeedItem,
        item: Int,
        as label: UInt8?,
        name: String?
    ) -> LabelDecision? {
        let address = PictureAddress.of(feedItem.url)
        let old = labels[address]
        guard label != old else { return nil }
        remember(Step(change: .label(address, old), item: item))
        labels[address] = label
        return LabelDecision(
            address: address,
            label: label,
            name: name,
            previous: old,
            details: feedItem.details
        )
    }

    /// Reverts the last change and returns it, or returns nil if there is nothing to undo.
    ///
    /// If a label was reverted, the result contains the label before the undo.
    mutating func undo() -> Step? {
        guard let step = history.popLast() else { return nil }
        switch step.change {
        case .toggled: toggle(step.item)
        case .marks(let before), .trashed(_, let before): marks = before
        case .label(let address, let old):
            let present = labels[address]
            labels[address] = old
            return Step(change: .label(address, present), item: step.item)
        }
        return step
    }

    /// Reverts a label that could not be saved, and removes the change from the history.
    mutating func forget(_ decision: LabelDecision) {
        labels[decision.address] = decision.previous
        let change = Step.Change.label(decision.address, decision.previous)
        if history.last?.change == change { history.removeLast() }
    }

    /// Records that files were moved to the trash, and removes the marks of their items.
    mutating func noteTrashed(_ items: [Int]) {
        guard let first = items.first else { return }
        remember(Step(change: .trashed(items, marks), item: first))
        for item in items { marks.remove(item) }
    }

    /// Replaces all labels with the labels from the label file.
    mutating func take(labels: [String: UInt8]) {
        self.labels = labels
    }

    /// Removes the marks and the history.
    ///
    /// Call this method when the feed is replaced.
    mutating func forgetItems() {
        marks = BitSet()
        lastMark = nil
        history = []
    }

    /// Replaces the item numbers in the marks and in the history after the feed is reloaded.
    ///
    /// Changes to removed items can no longer be undone, and are removed from the history.
    mutating func renumber(_ numbers: FeedRenumbering) {
        marks = numbers(marks)
        lastMark = lastMark.flatMap { numbers[$0] }
        history = history.compactMap { step in
            guard let item = numbers[step.item] else { return nil }
            switch step.change {
            case .toggled, .label: return Step(change: step.change, item: item)
            case .marks(let before): return Step(change: .marks(numbers(before)), item: item)
            case .trashed(let items, let before):
                return Step(change: .trashed(numbers(items), numbers(before)), item: item)
            }
        }
    }

    private mutating func toggle(_ item: Int) {
        if marks.insert(item).inserted {
            lastMark = item
        } else {
            marks.remove(item)
        }
    }

    private mutating func remember(_ step: Step) {
        if history.count == Self.longestHistory { history.removeFirst() }
        history.append(step)
    }
}

/// A label that the user has set or removed.
package struct LabelDecision: Equatable, Sendable {
    /// The image's URL without user name and password.
    package let address: String
    /// The label, from 1 to 9, or nil if it was removed.
    package let label: UInt8?
    /// The name of the label, or nil if the label has no name or was removed.
    package let name: String?
    /// The label before the change, or nil if the image had no label.
    let previous: UInt8?
    /// The details of the image from its feed.
    package var details: FeedItemDetails?
}
