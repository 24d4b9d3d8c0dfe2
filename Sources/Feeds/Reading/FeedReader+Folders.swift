import ImageLoading
import SystemSupport

/// Methods that read the images of directories.
extension FeedReader {
    func folder(
        _ path: String,
        name: String,
        _ onGrowth: Growth
    ) throws(FeedError) -> Feed {
        if let tree = options.tree {
            return try FolderTree(
                root: path,
                options: tree,
                includesHidden: options.includesHidden
            )
            .feed(name: name, onGrowth)
        }
        let pictures = try pictures(of: path, name: name)
        guard hasItems(pictures) else {
            let fault = "the folder contains no supported image"
            let leftOut = pictures.leftOut.map { ": \($0)" } ?? ""
            throw FeedError(name: name, fault: fault + leftOut + Self.hint(about: pictures))
        }
        return feed(of: pictures, in: path, name: name)
    }

    /// Reads the current directory, the default if the user specified no source.
    ///
    /// The error message contains hints, because the user may not know what to specify.
    func currentFolder(
        name: String,
        _ onGrowth: Growth
    ) throws(FeedError) -> Feed {
        let path = AbsolutePath.currentDirectory
        guard options.tree == nil else { return try folder(path, name: name, onGrowth) }
        let pictures = try pictures(of: path, name: name)
        guard hasItems(pictures) else {
            let leftOut = pictures.leftOut.map { " (\($0))" } ?? ""
            throw FeedError(
                "no images in this folder\(leftOut)\(Self.hint(about: pictures)); name a feed, "
                    + "a folder or an image, or try `termgallery demo`"
            )
        }
        let feed = feed(of: pictures, in: path, name: name)
        known.note(.currentFolder, feed)
        return feed
    }

    private static func hint(about pictures: FolderPictures) -> String {
        switch pictures.folders.count {
        case 0: ""
        case 1: "; -r shows the images in its subfolder"
        default: "; -r shows the images in its \(pictures.folders.count) subfolders"
        }
    }

    private func pictures(of path: String, name: String) throws(FeedError) -> FolderPictures {
        do throws(FileFailure) {
            return try FolderPictures(of: path, includesHidden: options.includesHidden)
        } catch {
            throw FeedError(name: name, fault: "cannot list the folder: \(error.text)")
        }
    }

    /// Returns whether the feed of the directory has images or subdirectories to show.
    private func hasItems(_ pictures: FolderPictures) -> Bool {
        !pictures.names.isEmpty || options.listsFolders && !pictures.folders.isEmpty
    }

    private func feed(of pictures: FolderPictures, in path: String, name: String) -> Feed {
        let prefix = path == "/" ? path : path + "/"
        let images = pictures.names.map { FeedItem(filePath: FileText.bytes(of: prefix + $0)) }
        guard options.listsFolders else {
            var feed = Feed(items: images, title: name)
            feed.remark = pictures.leftOut.map { "\(name): left out \($0)" }
            return feed
        }
        let names = NaturalOrder.sorted(pictures.folders)
        let folders = names.map { FeedItem(folderPath: prefix + $0) }
        var feed = Feed(items: folders + images, title: name)
        feed.folder = FeedFolder(
            path: path,
            folderCount: folders.count,
            includesHidden: options.includesHidden
        )
        feed.remark = Self.remark(on: pictures, name: name)
        return feed
    }

    /// Returns a remark on a folder shown with its subfolders, or nil if there is nothing to
    /// report.
    private static func remark(on pictures: FolderPictures, name: String) -> String? {
        let leftOut = [pictures.leftOut, FolderTree.text(systemCount: pictures.systemFolderCount)]
            .compactMap(\.self)
        let parts = [
            pictures.names.isEmpty ? "no images, only folders" : nil,
            leftOut.isEmpty ? nil : "left out \(leftOut.joined(separator: ", "))",
        ].compactMap(\.self)
        return parts.isEmpty ? nil : "\(name): \(parts.joined(separator: "; "))"
    }
}
