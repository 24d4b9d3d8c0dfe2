import CLinux
import GalleryCore
import ImageLoading

/// Methods that handle events from the kernel.
extension FolderWatcher {
    func take(_ event: FolderEvent) {
        if event.kind.contains(.overflow) { return lookEverywhere() }
        guard let folder = pathOfWatch[event.watch] else { return }
        if !event.kind.isDisjoint(with: .folderGone) { return lose(folder, to: event) }
        guard !event.name.isEmpty, options.isWatched(event.name) else { return }
        let path = folder + "/" + event.name
        if event.kind.contains(.isFolder) {
            takeFolder(path, event)
        } else {
            takeFile(event.name, in: folder, path: path, event: event)
        }
    }

    /// Schedules a check of all directories after events have been lost.
    ///
    /// The check finds the changes that the lost events would have reported.
    private func lookEverywhere() {
        for path in folders.keys { folders[path]?.nextLook = .now }
    }

    private func lose(_ folder: String, to event: FolderEvent) {
        // If a subdirectory was moved, an event from its parent directory reports the move.
        let isMove = event.kind.rawValue & UInt32(IN_MOVE_SELF) != 0
        if isMove, folders[folder]?.isRoot == false { return }
        remove(folder)
    }

    private func takeFolder(_ path: String, _ event: FolderEvent) {
        guard options.isRecursive else { return }
        if !event.kind.isDisjoint(with: [.movedFrom, .deleted]) { remove(path) }
        if !event.kind.isDisjoint(with: [.movedTo, .created]) {
            add(path, isRoot: false, isFirst: false)
        }
    }

    private func takeFile(
        _ name: String,
        in folder: String,
        path: String,
        event: FolderEvent
    ) {
        if event.kind.contains(.written) { takeWritten(name, in: folder) }
        if event.kind.contains(.created), FolderLook.isLink(path) { takeWritten(name, in: folder) }
        if event.kind.contains(.movedTo) { takeMoved(name, in: folder, cookie: event.cookie) }
        guard !event.kind.isDisjoint(with: [.movedFrom, .deleted]),
            folders[folder]?.pictures.removeValue(forKey: name) != nil
        else { return }
        if event.kind.contains(.movedFrom) {
            moves[event.cookie] = path
        } else {
            departures[path] = .now + options.replacingTime
        }
    }

    private func takeWritten(_ name: String, in folder: String) {
        let path = folder + "/" + name
        guard FolderLook.isPicture(name, in: folder), let stamp = FolderLook.stamp(path) else {
            return
        }
        folders[folder]?.pictures[name] = stamp
        folders[folder]?.unsettled[name] = nil
        departures[path] = nil
        pictures.write(path)
    }

    private func takeMoved(_ name: String, in folder: String, cookie: UInt32) {
        let path = folder + "/" + name
        guard let old = moves.removeValue(forKey: cookie) else {
            return takeWritten(name, in: folder)
        }
        guard FolderLook.isPicture(name, in: folder), let stamp = FolderLook.stamp(path) else {
            departures[old] = .now + options.replacingTime
            return
        }
        folders[folder]?.pictures[name] = stamp
        departures[path] = nil
        pictures.rename(old, to: path)
    }
}
