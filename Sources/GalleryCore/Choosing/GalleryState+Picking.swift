/// What the gallery is to tell the program that started it.
public enum Picking: Hashable, Sendable {
    /// Nothing.
    case nothing
    /// Enter picks the marked pictures, or the selected one; leaving in another way picks none.
    case onEnter
    /// Leaving picks the marked pictures.
    case markedAtEnd
}

/// Handing pictures to the program that started the gallery.
extension GalleryState {
    /// Enter, where it picks; nil of other keys.
    mutating func pressToPick(_ key: Key) -> [Effect]? {
        guard settings.picking == .onEnter, key == .enter else { return nil }
        let items = chosenItems
        return items.isEmpty ? sayThatNothingIsSelected() : [.finish(picking: items)]
    }

    /// Where the marked pictures are picked by leaving, however that is asked for.
    func picked(_ effects: [Effect]) -> [Effect] {
        guard settings.picking == .markedAtEnd else { return effects }
        return effects.map { $0 == .quit ? .finish(picking: Array(choices.marks)) : $0 }
    }

    /// What a person has to know who is to pick; nil if nothing is to be picked.
    var pickingRemark: String? {
        switch settings.picking {
        case .nothing: nil
        case .onEnter: "Enter selects, m marks several, q cancels"
        case .markedAtEnd: "m marks, q quits and prints the marked images"
        }
    }
}
