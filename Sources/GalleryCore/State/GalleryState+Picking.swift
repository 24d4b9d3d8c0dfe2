internal import Feeds
internal import ImageLoading
import TerminalUI

/// Methods that report images to the program that started the gallery.
extension GalleryState {
    /// Handles Enter if it reports images to the program that started the gallery, otherwise
    /// returns nil.
    mutating func pressToPick(_ key: Key) -> [Effect]? {
        guard settings.picking == .onEnter, key == .enter else { return nil }
        let items = chosenItems
        return items.isEmpty ? sayThatNothingIsSelected() : [.finish(picking: items)]
    }

    /// Returns the effects of a message, adapted to the picking mode.
    ///
    /// If the user quits and marked images are reported at the end, `finish` replaces `quit`.
    func picked(_ effects: [Effect]) -> [Effect] {
        guard settings.picking == .markedAtEnd else { return effects }
        return effects.map { $0 == .quit ? .finish(picking: Array(choices.marks)) : $0 }
    }

    /// Returns the URL of an image for another program, or nil if the image does not exist.
    ///
    /// If the URL was entered by the user, its user name and password are kept because the other
    /// program may need them. They are removed from a URL in a remote feed because the user may not
    /// know about them.
    package func pickedURL(ofItem item: Int) -> String? {
        guard let feed = currentFeed, item < feed.count else { return nil }
        let url = feed[item].url
        // Other programs cannot use the position of a member in an archive.
        if PictureAddress.isInArchive(url) { return PictureAddress.of(url) }
        return feed.origin(at: item).isRemote ? URLParts.withoutLogin(url) : url
    }

    /// A short instruction on how to pick images, or nil if no images are reported.
    var pickingRemark: String? {
        switch settings.picking {
        case .nothing: nil
        case .onEnter: "Enter selects, m marks several, q cancels"
        case .markedAtEnd: "m marks, q quits and prints the marked images"
        }
    }

    /// Returns a JSON object that describes an image and its label, or nil if the image does not
    /// exist.
    package func record(ofItem item: Int) -> String? {
        guard let feed = currentFeed, item < feed.count else { return nil }
        let feedItem = feed[item]
        let label = choices.labels[PictureAddress.of(feedItem.url)]
        return PictureRecord.line(
            feedItem,
            label: label,
            labelName: label.flatMap(settings.labeling.name)
        )
    }
}
