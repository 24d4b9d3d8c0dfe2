internal import Feeds
import TerminalUI

/// Methods for label mode, in which the user sorts images into groups with the digit keys.
extension GalleryState {
    mutating func toggleLabelMode() {
        notice = labeling.toggle(isKept: settings.labeling.isKept) ?? notice
    }

    /// Handles a key in label mode, or returns nil if the key has no special function in label
    /// mode.
    mutating func pressInLabelMode(_ key: Key) -> [Effect]? {
        guard labeling.isOn else { return nil }
        switch key {
        case .escape where detail == nil:
            toggleLabelMode()
            return []
        case .character(let digit) where digit.isASCII && digit.isNumber:
            return label(digit.wholeNumberValue.map(UInt8.init) ?? 0)
        default: return nil
        }
    }

    /// Labels the selected image and selects the next image.
    ///
    /// Label 0 removes the current label.
    private mutating func label(_ number: UInt8) -> [Effect] {
        guard let item = selectedImage, let feed = currentFeed else {
            return sayThatNothingIsSelected()
        }
        guard number <= settings.labeling.names.count else {
            notice = Notice("label \(number) has no name; set it with --label-names", .warning)
            return []
        }
        let label = number == 0 ? nil : number
        let name = label.flatMap(settings.labeling.name)
        let decision = choices.label(feed[item], item: item, as: label, name: name)
        return (decision.map { [.keepLabel($0)] } ?? []) + stepOn()
    }

    /// Reverts a label that could not be saved, and shows the reason.
    mutating func takeBack(_ decision: LabelDecision, because reason: String) {
        choices.forget(decision)
        notice = Notice("the label was not saved: \(reason)", .failure)
    }

    /// Selects the first unlabeled item at or after index `start`.
    ///
    /// The user can then continue labeling where the last session ended. If all items have labels,
    /// the search continues when the feed grows.
    mutating func selectFirstWithoutLabel(from start: Int = 0) {
        guard !choices.labels.isEmpty, let feed = currentFeed else { return }
        let start = max(start, feed.folder?.folderCount ?? 0)
        let item = labeling.firstUnlabeled(from: start, count: feed.count) { item in
            choices.labels[PictureAddress.of(feed[item].url)] != nil
        }
        if let item, let position = grid.order.position(of: item) { grid.select(position) }
    }

    /// The digits and names of the labels for the status bar.
    var labelLegend: String {
        settings.labeling.names.enumerated().map { "\($0 + 1) \($1)" }.joined(separator: "  ")
    }
}
