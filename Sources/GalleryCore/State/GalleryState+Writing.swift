internal import BitCollections
internal import Feeds

/// Methods that write the displayed items to a file.
extension GalleryState {
    /// Writes the displayed items to a file.
    ///
    /// If items are marked, only the marked items are written.
    mutating func write(to file: String, _ overwrites: Bool) -> [Effect] {
        let list = choices.marks.isEmpty ? imageOrder : markedOrder
        guard list.count > 0 else { return sayThatNothingIsSelected() }
        return [.external(.write(file: file, list, overwrites: overwrites))]
    }

    /// The displayed images, without folders.
    private var imageOrder: ItemOrder {
        let first = firstImagePosition
        guard first > 0 else { return grid.order }
        let items = (first..<itemCount).map { UInt32(grid.order[$0]) }
        return ItemOrder(items: items, isAscending: false)
    }

    /// The marked items in display order.
    ///
    /// Marked items that are hidden by the filter come last.
    private var markedOrder: ItemOrder {
        var rest = choices.marks
        var items: [UInt32] = []
        for position in 0..<itemCount {
            let item = grid.order[position]
            if rest.remove(item) != nil { items.append(UInt32(item)) }
        }
        return ItemOrder(items: items + rest.map { UInt32($0) }, isAscending: false)
    }
}
