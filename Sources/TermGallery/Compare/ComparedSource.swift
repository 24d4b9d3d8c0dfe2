import Feeds
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport

/// The images that an argument of `compare` names.
enum ComparedSource {
    case image(ComparedImage)
    /// The images in a folder or an archive.
    case files([ComparedImage])
    /// The argument is `/dev/null`, which git passes for a file that does not exist.
    case nothing
}

/// Reads the arguments of `compare`.
struct ComparedSourceReader {
    let reader: FeedReader
    /// Whether subfolders are read, too.
    let isRecursive: Bool

    /// Returns the pairs of one or two arguments.
    ///
    /// A single argument is a folder or an archive with expected and actual images.
    func pairs(_ arguments: [String]) throws(ProgramFailure) -> [ComparedPair] {
        let pairs =
            arguments.count == 1
            ? try expectedAndActual(arguments[0]) : try pairs(arguments[0], arguments[1])
        guard pairs.isEmpty else { return pairs }
        let names = arguments.map(FileText.shown).joined(separator: ", ")
        throw ProgramFailure(.feedUnreadable, "\(names): no images to compare")
    }

    private func expectedAndActual(_ argument: String) throws(ProgramFailure) -> [ComparedPair] {
        if case .files(let images) = try source(argument) {
            let pairs = ComparedPair.expectedAndActual(images)
            if !pairs.isEmpty { return pairs }
        }
        throw ProgramFailure(
            .usage,
            "name two images, folders or archives, or a folder that contains "
                + "x-expected.png and x-actual.png"
        )
    }

    private func pairs(
        _ first: String,
        _ second: String
    ) throws(ProgramFailure) -> [ComparedPair] {
        switch (try source(first), try source(second)) {
        case (.image(let one), .image(let other)): return [.of(one, other)]
        case (.image(let one), .nothing): return [.of(one, nil)]
        case (.nothing, .image(let other)): return [.of(nil, other)]
        case (.files(let one), .files(let other)): return ComparedPair.byName(one, other)
        case (.nothing, .nothing): return []
        case (.files, .image), (.files, .nothing): throw Self.mismatch(first, second)
        case (.image, .files), (.nothing, .files): throw Self.mismatch(second, first)
        }
    }

    private static func mismatch(_ files: String, _ image: String) -> ProgramFailure {
        ProgramFailure(
            .usage,
            "\(FeedSource(argument: files).name) contains images, but "
                + "\(FeedSource(argument: image).name) is one image; compare two images, or two "
                + "folders or archives"
        )
    }

    private func source(_ argument: String) throws(ProgramFailure) -> ComparedSource {
        guard argument != "/dev/null" else { return .nothing }
        let source = FeedSource(argument: argument)
        if case .path(let path) = source, Self.isFolder(path) {
            return .files(try images(inFolder: path))
        }
        guard argument != "-" else {
            throw ProgramFailure(.usage, "compare does not read standard input")
        }
        do throws(FeedError) {
            return try images(of: reader.read([source]), source)
        } catch {
            throw ProgramFailure(.feedUnreadable, error.description)
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(FileText.path(path), &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns the images in a folder; the array may be empty.
    private func images(inFolder path: String) throws(ProgramFailure) -> [ComparedImage] {
        let root = AbsolutePath.of(path)
        var tree = FolderTree(root: root, options: TreeOptions(depth: isRecursive ? nil : 0))
        var names: [String] = []
        do throws(FileFailure) {
            while let files = try tree.next() { names += files }
        } catch {
            let name = FeedSource.path(path).name
            throw ProgramFailure(.feedUnreadable, "\(name): cannot list the folder: \(error.text)")
        }
        if let leftOut = tree.leftOut {
            printError("termgallery: \(FeedSource.path(path).name): left out \(leftOut)")
        }
        return names.map { name in
            ComparedImage(name: name, item: FeedItem(path: name, below: root), origin: .local)
        }
    }

    /// Returns the content of a file or URL: an image, or the images in an archive.
    private func images(of feed: Feed, _ source: FeedSource) throws(FeedError) -> ComparedSource {
        if feed.count == 1, feed[0].url == source.imageURL {
            let item = feed[0]
            let name = FeedCaption.caption(forURL: item.url)
            return .image(ComparedImage(name: name, item: item, origin: feed.origin(at: 0)))
        }
        return .files(
            try (0..<feed.count).map { index throws(FeedError) in
                let item = feed[index]
                guard let name = item.nameInArchive else {
                    let fault = "is a feed; compare takes images, folders and archives"
                    throw FeedError(name: source.name, fault: fault)
                }
                return ComparedImage(name: name, item: item, origin: feed.origin(at: index))
            }
        )
    }
}

extension FeedSource {
    /// The URL of the source's item if the source is an image.
    fileprivate var imageURL: String? {
        switch self {
        case .remote(let url): url
        case .path(let path): FeedItem(filePath: FileText.bytes(of: AbsolutePath.of(path))).url
        case .standardInput, .subscription, .currentFolder: nil
        }
    }
}

extension FeedItem {
    /// The path of a file in its archive, encoded by `FileText`, or nil for other images.
    fileprivate var nameInArchive: String? {
        guard PictureAddress.isInArchive(url), let start = url.firstRange(of: "!/") else {
            return nil
        }
        let name = url[start.upperBound...].prefix { $0 != "?" }
        return FileText.text(PercentCoding.decoded(name.utf8))
    }
}
