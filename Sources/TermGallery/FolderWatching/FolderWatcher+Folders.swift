import Feeds
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport

/// Methods that manage the watched directories and their contents.
extension FolderWatcher {
    /// Starts watching a directory and, if requested, its subdirectories.
    ///
    /// If `isFirst` is true, all files in the directory count as complete. Otherwise, they may
    /// still be incomplete because a program is writing them.
    func add(_ path: String, isRoot: Bool, isFirst: Bool) {
        guard folders[path] == nil else { return }
        var folder = WatchedFolder(isRoot: isRoot)
        // The watch is started before the directory is read, so changes made during the read are
        // reported.
        folder.watch = watch(path, isRoot: isRoot)
        if let watch = folder.watch {
            // The directory is already watched under another name.
            guard pathOfWatch[watch] == nil else { return }
            pathOfWatch[watch] = path
        }
        folders[path] = folder
        look(at: path, isFirst: isFirst)
    }

    /// Starts a watch, or returns nil if the kernel can't report changes in the directory.
    private func watch(_ path: String, isRoot: Bool) -> Int32? {
        guard let source, !FileSystemKind.isShared(path) else { return nil }
        if let watch = source.watch(path, followsLinks: isRoot) { return watch }
        if errno == ENOSPC {
            note(
                "more folders than the system can watch (fs.inotify.max_user_watches); the "
                    + "others are checked every \(options.lookInterval.components.seconds) s"
            )
        }
        return nil
    }

    /// Compares a directory with its known contents, and records the differences.
    func look(at path: String, isFirst: Bool = false) {
        guard var folder = folders[path] else { return }
        let known = folder.pictures
        let look: FolderLook
        do throws(FileFailure) {
            look = try FolderLook(at: path, isWatched: options.isWatched) { known[$0] != nil }
        } catch {
            return lose(path, because: error)
        }
        for (name, stamp) in look.pictures where known[name] != stamp {
            // A file that did not change between two checks is not being written.
            if isFirst || folder.unsettled[name] == stamp {
                folder.pictures[name] = stamp
                folder.unsettled[name] = nil
                departures[path + "/" + name] = nil
                if !isFirst { pictures.write(path + "/" + name) }
            } else {
                folder.unsettled[name] = stamp
            }
        }
        for name in known.keys where look.pictures[name] == nil {
            folder.pictures[name] = nil
            pictures.delete(path + "/" + name)
        }
        folder.unsettled = folder.unsettled.filter { look.pictures[$0.key] != nil }
        folder.nextLook = nextLook(folder)
        folders[path] = folder
        follow(look.folders, in: path, isFirst: isFirst)
    }

    private func nextLook(_ folder: WatchedFolder) -> ContinuousClock.Instant? {
        guard folder.watch != nil else { return .now + options.lookInterval }
        return folder.unsettled.isEmpty ? nil : .now + options.settlingTime
    }

    private func follow(_ names: [String], in path: String, isFirst: Bool) {
        guard options.isRecursive else { return }
        for name in names { add(path + "/" + name, isRoot: false, isFirst: isFirst) }
        guard folders[path]?.watch == nil else { return }
        // Without a watch, the removal of subdirectories is not reported, so missing subdirectories
        // must be removed here.
        let present = Set(names.map { path + "/" + $0 })
        for child in folders.keys
        where AbsolutePath.directory(of: child) == path && !present.contains(child) {
            remove(child)
        }
    }

    /// Handles a directory that can't be read because it no longer exists or access is denied.
    private func lose(_ path: String, because failure: FileFailure) {
        guard let folder = folders[path] else { return }
        guard failure.code == EACCES || failure.code == EPERM else { return remove(path) }
        note("\(FileText.shown(path)) was left out: \(failure.text)")
        // The owner may grant access again, but no event reports this.
        folders[path]?.nextLook = folder.isRoot ? .now + options.lookInterval : nil
    }

    /// Removes a directory and its subdirectories.
    ///
    /// If a root directory reappears, it is watched again.
    func remove(_ path: String) {
        let inside = path + "/"
        for (key, folder) in folders where key == path || key.utf8.starts(with: inside.utf8) {
            folders[key] = nil
            if let watch = folder.watch {
                pathOfWatch[watch] = nil
                source?.unwatch(watch)
            }
            for name in folder.pictures.keys { pictures.delete(key + "/" + name) }
            if folder.isRoot { missing[key] = .now + options.lookInterval / 2 }
        }
    }
}
