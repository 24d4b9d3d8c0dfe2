internal import BitCollections
internal import Feeds
internal import ImageLoading
internal import SystemSupport
import TerminalUI

/// Methods for folders in the grid, which the user can enter and leave.
extension GalleryState {
    /// Returns whether an item is a folder rather than an image.
    func isFolder(_ item: Int) -> Bool { currentFeed?.isFolder(item) ?? false }

    /// Whether the selected item is a folder.
    var isFolderSelected: Bool { selectedItem.map(isFolder) ?? false }

    /// The selected item, or nil if it is a folder or there are no items.
    var selectedImage: Int? { isFolderSelected ? nil : selectedItem }

    /// The position of the first image, or `itemCount` if there is no image.
    ///
    /// Folders come first in every order.
    var firstImagePosition: Int {
        guard let feed = currentFeed, let folder = feed.folder else { return 0 }
        // A filter may hide folders, so the first image is found by binary search.
        var (low, high) = (0, min(itemCount, folder.folderCount))
        while low < high {
            let middle = (low + high) / 2
            if feed.isFolder(grid.order[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The position of the next image in a slideshow, or nil if there is no other image.
    ///
    /// After the last image, the first image is next.
    var nextImagePosition: Int? {
        guard let next = grid.nextPosition.map({ max($0, firstImagePosition) }) else { return nil }
        return next == grid.selection || next >= itemCount ? nil : next
    }

    /// Returns the path of a folder, encoded by `FileText`, or nil if the item is an image.
    package func folderPath(of item: Int) -> String? {
        guard let feed = currentFeed, feed.isFolder(item),
            let path = PictureAddress.path(ofURL: feed[item].url)
        else { return nil }
        // The URL of a folder ends with a slash.
        return FileText.text(path.dropLast())
    }

    /// Opens the selected image, or enters the selected folder.
    mutating func openSelected() -> [Effect] {
        guard let folder = selectedItem.flatMap({ folderPath(of: $0) }) else { return openDetail() }
        return [.feed(.openFolder(walk.entering(folder)))]
    }

    /// Leaves the current folder, and shows the folder from which it was entered.
    mutating func leaveFolder() -> [Effect] {
        guard let request = walk.leaving() else {
            notice = Notice(
                walk.current == nil
                    ? "this is not a folder that can be left"
                    : "this is the folder that was opened first"
            )
            return []
        }
        return [.feed(.openFolder(request))]
    }

    /// Shows the nearest existing folder if the current folder was deleted.
    func leaveDeletedFolder() -> [Effect] {
        walk.retreating().map { [.feed(.openFolder($0))] } ?? []
    }
}
