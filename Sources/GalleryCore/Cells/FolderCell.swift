internal import Decoders
internal import Feeds
internal import ImageLoading
import TerminalUI

/// The state of a cell that shows a folder.
struct FolderCell: Equatable, Sendable {
    /// The contents, or nil until the folder has been read.
    var contents: FolderContents?

    /// The number of images as shown in the caption, such as "12", or nil until it is known.
    var countText: String? { contents?.countText }

    /// The text of a cell without a cover, such as "no images" or "3 folders".
    var lines: [String] {
        guard let contents else { return [] }
        let absence = contents.countText == nil ? "no images found" : "no images"
        return (contents.imageCount == 0 ? [absence] : []) + (foldersText.map { [$0] } ?? [])
    }

    /// The number of images, such as "12 images", or nil until it is known.
    var imagesText: String? {
        countText.map { $0 + ($0 == "1" ? " image" : " images") }
    }

    /// The number of subfolders, such as "3 folders", or nil if the number is 0 or unknown.
    var foldersText: String? {
        guard let count = contents?.folderCount, count > 0 else { return nil }
        return CountText.grouped(count) + (count == 1 ? " folder" : " folders")
    }
}

extension CellPool {
    /// Handles an event from the loads for the folder in a slot.
    ///
    /// Events for other slots are ignored.
    mutating func apply(_ event: CoverEvent, toSlot slot: Int) {
        guard slots.indices.contains(slot), slots[slot].folder != nil else { return }
        if case .loaded(let source) = event { noteArrival(from: source) }
        slots[slot].apply(event, in: area)
        noteOutcome(slot)
    }
}
