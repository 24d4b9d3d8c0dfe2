internal import Feeds
internal import ImageLoading

/// Methods that move files to the trash.
extension GalleryState {
    /// Prompts the user to confirm moving the marked files, or the selected file, to the trash.
    mutating func askToTrash() -> [Effect] {
        let items = chosenItems
        guard !items.isEmpty, let feed = currentFeed else {
            return sayThatNothingIsSelected()
        }
        let others = items.count { PictureAddress.path(ofURL: feed[$0].url) == nil }
        guard others == 0 else {
            let which =
                items.count == 1 ? "this is not a local file" : "\(others) of them are not local"
            notice = Notice("only local files can be deleted: \(which)", .warning)
            return []
        }
        guard items.contains(where: { !feed[$0].isDeleted }) else {
            notice = Notice("already deleted; press u to restore it")
            return []
        }
        prompt.ask(.trash)
        return []
    }

    /// The versions of the question to confirm before moving files to the trash, longest first.
    var trashQuestions: [String] {
        let count = chosenItems.count
        let files = count == 1 ? "this file" : "\(count) files"
        return [
            "Move \(files) to the trash?  Type yes, then Enter: ", "Delete \(files)?  yes, Enter: ",
            "Delete \(count == 1 ? "it" : "\(count)")? yes: ", "Delete? yes: ",
        ]
    }

    mutating func answerTrash(_ text: String) -> [Effect] {
        guard text.lowercased() == "yes" else {
            notice = Notice("nothing was deleted")
            return []
        }
        return [.external(.trash(items: chosenItems))]
    }

    /// Updates the state after files are moved to the trash.
    mutating func tookToTrash(_ items: [Int]) {
        guard !items.isEmpty else { return }
        choices.noteTrashed(items)
        let files = items.count == 1 ? "1 file is" : "\(items.count) files are"
        notice = Notice("\(files) in the trash; press u to restore")
    }
}
