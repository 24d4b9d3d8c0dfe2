import TerminalUI

/// A part of the status bar at a fixed position, with text that changes over time.
///
/// Each version of the text reserves a number of columns that does not depend on the current
/// values, so the parts to its right do not move when the text changes.
struct StatusSlot: Equatable, Sendable {
    /// A version of the text, and the number of columns reserved for it.
    struct Form: Equatable, Sendable {
        let text: String
        let width: Int
        /// The importance of this version; versions with a lower rank get space first.
        let rank: Int
    }

    /// The versions of the text, shortest first.
    let forms: [Form]
    let tone: Theme.Tone
    var target: StatusTarget?
    /// The number of columns before the slot.
    static let gap = 3
}

/// The action for a click on a part of the status bar.
enum StatusTarget: Equatable, Sendable {
    case action(GalleryAction)
    /// Shows the images that match a filter.
    case filter(String)
    /// Leaves a page, as Escape does.
    case back
}

/// The slots of the status bar, and the version of the text chosen for each slot.
struct StatusSlots {
    /// A slot with the version of its text that is shown.
    struct Shown: Equatable {
        let form: StatusSlot.Form
        let slot: StatusSlot
    }

    /// The visible slots, from left to right.
    let shown: [Shown]
    /// The number of columns that the slots occupy, including the gap before each slot.
    let width: Int

    /// Chooses the versions that fit in `room` columns.
    init(_ slots: [StatusSlot], room: Int) {
        let steps = slots.enumerated().flatMap { index, slot in
            slot.forms.enumerated().map { (rank: $1.rank, slot: index, form: $0) }
        }
        .sorted { ($0.rank, $0.slot, $0.form) < ($1.rank, $1.slot, $1.form) }
        var chosen: [Int: Int] = [:]
        var width = 0
        for step in steps {
            let forms = slots[step.slot].forms
            let earlier = chosen[step.slot].map { forms[$0].width + StatusSlot.gap } ?? 0
            let cost = forms[step.form].width + StatusSlot.gap - earlier
            guard width + cost <= room else { continue }
            width += cost
            chosen[step.slot] = step.form
        }
        self.width = width
        shown = slots.indices.compactMap { index in
            chosen[index].map { Shown(form: slots[index].forms[$0], slot: slots[index]) }
        }
    }
}
