/// Methods that reload the images of visible items.
///
/// The current images stay on the screen until the new images arrive.
extension CellPool {
    /// Repeats the failed loads of visible items.
    mutating func retry() -> [Effect] {
        restart(retrying: true) { $0.canRetry }
    }

    /// Reloads an item.
    mutating func reload(item: Int) -> [Effect] {
        restart(retrying: true, keepingLook: true) { $0.item == item }
    }

    /// Reloads all visible items and bypasses the caches.
    mutating func refresh() -> [Effect] {
        restart(retrying: true, refreshing: true) { _ in true }
    }

    /// Reloads the visible remote images whose slots meet `condition`, and bypasses the caches.
    ///
    /// Images that are still loading are not reloaded. If a reload fails, the current image
    /// remains.
    mutating func refreshQuietly(
        where condition: (CellSlot) -> Bool = { _ in true }
    ) -> [Effect] {
        restart(retrying: true, refreshing: true, keepsOnFailure: true) { slot in
            !slot.isLocalFile && !slot.load.isPending && condition(slot)
        }
    }

    /// Reloads the visible folders and their covers.
    ///
    /// Folders that are still being read are skipped.
    mutating func reloadFolders() -> [Effect] {
        restart(retrying: true, refreshing: true) { $0.folder != nil && !$0.load.isPending }
    }

    /// Reloads the visible images of files that have changed.
    mutating func reload(files urls: Set<String>) -> [Effect] {
        for index in slots.indices where urls.contains(slots[index].url) {
            slots[index].expectNewContent()
        }
        return restart(retrying: true, refreshing: true) { urls.contains($0.url) }
    }
}
