internal import BitCollections
import TerminalUI

/// Methods that select new images, and record which images the user has seen.
extension GalleryState {
    /// Records which images the user has seen.
    ///
    /// If the selection changes because the feed has changed, no image counts as seen.
    mutating func noteReading(after message: Message, from before: Int?) -> [Effect] {
        guard !reading.unread.isEmpty, message.isOfPersonOrClock else { return [] }
        let selected = selectedItem
        let left = selected == before ? [] : [before, selected]
        return reading.see((left + [detail?.item]).compactMap(\.self))
    }

    /// Selects the next new image.
    ///
    /// After the last new image, the first new image is selected. If the image view is open, it
    /// shows the selected image.
    mutating func goToNextUnread() -> [Effect] {
        guard let position = reading.nextUnread(after: grid.selection, in: grid.order) else {
            notice = Notice("nothing new")
            return []
        }
        return look(at: position)
    }
}

extension Message {
    /// Whether the message was caused by the user or the frame timer rather than the feed.
    fileprivate var isOfPersonOrClock: Bool {
        if case .input = self { return true }
        if case .tick = self { return true }
        return false
    }
}
