import Decoders
import Feeds
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport
import TerminalUI

/// The content of a preview: an image, a small sheet of images, or the reason why neither can be
/// shown.
struct PreviewRun {
    let manager: ImageManager
    let size: ScreenSize
    let capabilities: ScreenCapabilities
    let hasCaption: Bool

    /// Loads the images of a source, and returns the frame and the exit status of the command.
    ///
    /// The frame fits in `size`.
    func frame(of argument: String) -> (Frame, ExitStatus) {
        let source = FeedSource(argument: argument)
        if case .path(let path) = source, let problem = Self.problem(with: path) {
            return (words("\(source.name): \(problem)"), .feedUnreadable)
        }
        do throws(FeedError) {
            let feed = try FeedReader(manager: manager, options: FeedOptions()).read([source])
            return frame(of: feed)
        } catch {
            return (words(error.description), .feedUnreadable)
        }
    }

    /// Returns a frame with one line of text.
    func words(_ text: String) -> Frame {
        var frame = Frame(size: ScreenSize(columns: size.columns, rows: 1))
        let line = FrameText(text, limit: size.columns, on: capabilities)
        frame.draw(line, row: 0, column: 0, style: .plain)
        return frame
    }

    /// Returns the reason why a path must not be opened, or nil if it may be opened.
    ///
    /// Reading from a pipe or device could block forever.
    private static func problem(with path: String) -> String? {
        var status = stat()
        guard stat(FileText.path(path), &status) == 0 else { return nil }
        let isReadable = [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
        return isReadable ? nil : "not a file or folder"
    }

    private func frame(of feed: Feed) -> (Frame, ExitStatus) {
        let sheet = ContactSheet(
            filling: size,
            count: min(feed.count, PictureBox.imageLimit),
            hasCaptions: hasCaption,
            capabilities: capabilities
        )
        let count = min(feed.count, sheet.capacity, PictureBox.imageLimit)
        let (entries, allWell) = load(0..<count, of: feed, size: sheet.targetSize)
        let rows = stride(from: 0, to: count, by: sheet.columns).map { start in
            sheet.row(entries[start..<min(start + sheet.columns, count)])
        }
        let height = min(size.rows, rows.reduce(0) { $0 + $1.size.rows })
        var frame = Frame(size: ScreenSize(columns: size.columns, rows: height))
        var top = 0
        for row in rows where top < height {
            frame.draw(row, row: top, column: 0)
            top += row.size.rows
        }
        return (frame, allWell ? .success : .someFailed)
    }

    /// Loads images, and returns them in order together with whether all of them were loaded.
    private func load(
        _ indices: Range<Int>,
        of feed: Feed,
        size: PixelSize
    ) -> (entries: [ContactSheet.Entry], allWell: Bool) {
        let items = indices.map { feed[$0] }
        var outcomes = items.map { _ in Result<ImageResponse, ImageLoadingError>.failure(.cancelled)
        }
        let loads = LoadWindow(manager: manager)
        for (index, item) in items.enumerated() where item.problem == nil {
            let request = ImageRequest(
                thumbnailOf: item,
                size: size,
                origin: feed.origin(at: index)
            )
            loads.start(request, index: index)
        }
        while let end = loads.next() { outcomes[end.index] = end.result }
        let entries = zip(items, outcomes).map { ContactSheet.Entry(item: $0, outcome: $1) }
        let allWell = outcomes.allSatisfy { if case .success = $0 { true } else { false } }
        return (entries, allWell)
    }
}
