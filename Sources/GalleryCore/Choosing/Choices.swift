internal import BitCollections

/// What the person has chosen among the pictures, and the way back.
///
/// Marks are of items, and survive a filter and another order. Labels are of addresses, as the file
/// has them that keeps them: a picture that stands in a feed twice has one.
struct Choices: Sendable {
    private(set) var marks = BitSet()
    private(set) var labels: [String: UInt8] = [:]
    /// Where a range begins: the item that was marked last.
    private(set) var lastMark: Int?
    private var history: [Step] = []

    /// What can be taken back, and where it was done.
    struct Step: Equatable, Sendable {
        enum Change: Equatable, Sendable {
            /// An item was marked, or unmarked.
            case toggled
            /// Many were: these were marked before.
            case marks(BitSet)
            /// An address had this label before; nil for none.
            case label(String, UInt8?)
            /// Files went to the trash; these were marked before.
            case trashed([Int], BitSet)
        }

        let change: Change
        let item: Int
    }

    /// So many steps can be taken back; what lies further back is kept.
    private static let longestHistory = 500

    func isMarked(_ item: Int) -> Bool { marks.contains(item) }

    mutating func toggleMark(_ item: Int) {
        remember(Step(change: .toggled, item: item))
        toggle(item)
    }

    /// Marks many items, of which `item` is the last; returns how many are new.
    mutating func mark(_ items: some Sequence<Int>, to item: Int) -> Int {
        let before = marks
        for item in items { marks.insert(item) }
        lastMark = item
        let count = marks.count - before.count
        if count > 0 { remember(Step(change: .marks(before), item: item)) }
        return count
    }

    /// Unmarks those of the items that are marked, and marks the others.
    mutating func invert(_ items: some Sequence<Int>, at item: Int) {
        remember(Step(change: .marks(marks), item: item))
        for item in items where !marks.insert(item).inserted { marks.remove(item) }
        lastMark = nil
    }

    /// Unmarks all, with the selection at `item`; returns how many there were.
    mutating func unmarkAll(at item: Int) -> Int {
        let count = marks.count
        if count > 0 { remember(Step(change: .marks(marks), item: item)) }
        marks = BitSet()
        lastMark = nil
        return count
    }

    /// Gives an item's address a label, or takes it away; returns the one it had.
    mutating func label(_ address: String, _ label: UInt8?, item: Int) -> UInt8? {
        let old = labels[address]
        remember(Step(change: .label(address, old), item: item))
        labels[address] = label
        return old
    }

    /// Takes the last step back; returns it, or nil if there is none.
    ///
    /// Of a label the step that is returned has the one that was replaced by it.
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

    /// Takes a decision back that could not be kept, as if it had never been made.
    mutating func forget(_ decision: LabelDecision) {
        labels[decision.address] = decision.previous
        let change = Step.Change.label(decision.address, decision.previous)
        if history.last?.change == change { history.removeLast() }
    }

    /// Notes that files went to the trash, which are not marked any more.
    mutating func noteTrashed(_ items: [Int]) {
        guard let first = items.first else { return }
        remember(Step(change: .trashed(items, marks), item: first))
        for item in items { marks.remove(item) }
    }

    /// Takes the labels that were given earlier.
    mutating func take(labels: [String: UInt8]) {
        self.labels = labels
    }

    /// Forgets what is of items: another feed has come.
    mutating func forgetItems() {
        marks = BitSet()
        lastMark = nil
        history = []
    }

    /// What was chosen stays with its items, which have other numbers now; what can no longer be taken
    /// back is forgotten.
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

/// A label that was given, or taken away.
public struct LabelDecision: Equatable, Sendable {
    /// The picture's URL, without a login.
    public let address: String
    /// From 1 to 9; nil for none from now on.
    public let label: UInt8?
    /// What the label is called.
    public let name: String?
    let previous: UInt8?
    /// What the feed says of the picture.
    package var details: FeedItemDetails?
}
