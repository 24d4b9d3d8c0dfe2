/// How the gallery reports images to the program that started it.
public enum Picking: Hashable, Sendable {
    /// Images are not reported.
    case nothing
    /// Enter reports the marked images, or the selected one; any other way to quit reports none.
    case onEnter
    /// Quitting reports the marked images.
    case markedAtEnd
}

/// Reporting images to the program that started the gallery.
extension GalleryState {
    /// Processes Enter if it reports images; returns nil for other keys.
    mutating func pressToPick(_ key: Key) -> [Effect]? {
        guard settings.picking == .onEnter, key == .enter else { return nil }
        let items = chosenItems
        return items.isEmpty ? sayThatNothingIsSelected() : [.finish(picking: items)]
    }

    /// Adds the marked images to the effects of quitting, in every case.
    func picked(_ effects: [Effect]) -> [Effect] {
        guard settings.picking == .markedAtEnd else { return effects }
        return effects.map { $0 == .quit ? .finish(picking: Array(choices.marks)) : $0 }
    }

    /// A short instruction for the user; nil if no images are reported.
    var pickingRemark: String? {
        switch settings.picking {
        case .nothing: nil
        case .onEnter: "Enter selects, m marks several, q cancels"
        case .markedAtEnd: "m marks, q quits and prints the marked images"
        }
    }
}
