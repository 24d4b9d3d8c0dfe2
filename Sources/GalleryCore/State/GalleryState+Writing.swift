internal import BitCollections
internal import Feeds

/// Members that write the list to a file.
extension GalleryState {
    /// Writes the displayed list, or only its marked items, to a file.
    mutating func write(to file: String, _ overwrites: Bool) -> [Effect] {
        let list = choices.marks.isEmpty ? grid.order : markedOrder
        guard list.count > 0 else { return sayThatNothingIsSelected() }
        return [.external(.write(file: file, list, overwrites: overwrites))]
    }

    /// The marked items in display order, followed by the marked items that the filter hides.
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
