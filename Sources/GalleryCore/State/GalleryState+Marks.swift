internal import BitCollections
internal import Feeds

/// Methods that mark images, and undo changes to marks and labels.
extension GalleryState {
    /// The items to which a command applies: the marked items, or the selected item if no items are
    /// marked.
    var chosenItems: [Int] {
        choices.marks.isEmpty ? selectedImage.map { [$0] } ?? [] : Array(choices.marks)
    }

    /// Toggles the mark of the selected image and selects the next image.
    mutating func toggleMark() -> [Effect] {
        guard let item = selectedImage else { return sayThatNothingIsSelected() }
        choices.toggleMark(item)
        return stepOn()
    }

    /// Toggles the mark of the selected image without moving the selection, as a right click does.
    mutating func toggleMarkInPlace() -> [Effect] {
        if let item = selectedImage { choices.toggleMark(item) }
        return []
    }

    /// Marks all images from the last marked image to the selected image.
    mutating func markRange() -> [Effect] {
        guard let item = selectedImage else { return sayThatNothingIsSelected() }
        guard let start = choices.lastMark.flatMap(grid.order.position) else {
            notice = Notice("mark the start of a range with m, then its end with M")
            return []
        }
        let range = min(start, grid.selection)...max(start, grid.selection)
        let count = choices.mark(range.lazy.map { [order = grid.order] in order[$0] }, to: item)
        notice = Notice(count == 0 ? "all of them are already marked" : "marked \(count) more")
        return []
    }

    /// The images that pass the filter, in display order.
    private var shownItems: some Sequence<Int> {
        (firstImagePosition..<itemCount).lazy.map { [order = grid.order] in order[$0] }
    }

    /// Marks all images that pass the filter.
    mutating func markAll() -> [Effect] {
        guard let item = selectedItem else { return sayThatNothingIsSelected() }
        let count = choices.mark(shownItems, to: item)
        let unmarks = keys.hint(.unmarkAll, "unmarks all")
        notice = Notice(count == 0 ? "all of them are already marked" : "marked \(count)" + unmarks)
        return []
    }

    /// Inverts the marks of all images that pass the filter.
    mutating func invertMarks() -> [Effect] {
        guard let item = selectedItem else { return sayThatNothingIsSelected() }
        choices.invert(shownItems, at: item)
        notice = Notice("marks inverted; \(choices.marks.count) marked")
        return []
    }

    /// Moves the selection by `distance` marked images: forward if positive, backward if negative.
    mutating func stepToMarked(_ distance: Int) -> [Effect] {
        let step = distance > 0 ? 1 : -1
        let places = stride(from: grid.selection + step, to: step > 0 ? itemCount : -1, by: step)
        let marked = places.lazy.filter { [order = grid.order, choices] in
            choices.isMarked(order[$0])
        }
        guard let place = Array(marked.prefix(abs(distance))).last else {
            let way = distance > 0 ? "after this one" : "before this one"
            notice = Notice(
                choices.marks.isEmpty
                    ? "nothing is marked; press m to mark" : "nothing marked \(way)"
            )
            return []
        }
        return look(at: place)
    }

    mutating func unmarkAll() {
        let count = choices.unmarkAll(at: selectedItem ?? 0)
        notice = Notice(count == 0 ? "nothing is marked" : "unmarked \(count); press u to undo")
    }

    /// Reverts the last change to marks or labels, or the last move to the trash.
    ///
    /// The changed image is selected.
    mutating func undo() -> [Effect] {
        guard let step = choices.undo() else {
            notice = Notice("nothing to undo")
            return []
        }
        notice = Notice("undone")
        var effects: [Effect] = []
        if case .label(let address, let replaced) = step.change {
            let label = choices.labels[address]
            let decision = LabelDecision(
                address: address,
                label: label,
                name: label.flatMap(settings.labeling.name),
                previous: replaced
            )
            effects.append(.keepLabel(decision))
        }
        if case .trashed(let items, _) = step.change {
            effects.append(.external(.putBack(items: items)))
        }
        return effects + show(item: step.item)
    }

    /// Selects the next image, if there is one, in the grid or in the image view.
    mutating func stepOn() -> [Effect] {
        guard grid.selection + 1 < itemCount else { return [] }
        return detail == nil ? move(.right) : step(1)
    }

    /// Selects an item, and shows it if the image view is open.
    private mutating func show(item: Int) -> [Effect] {
        guard item != selectedItem, let position = grid.order.position(of: item) else { return [] }
        return look(at: position)
    }

    mutating func sayThatNothingIsSelected() -> [Effect] {
        notice = Notice(
            isFolderSelected ? "this is a folder, not an image" : "there is no image"
        )
        return []
    }
}
