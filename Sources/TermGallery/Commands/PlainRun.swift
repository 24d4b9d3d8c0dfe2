import Decoders
import Feeds
import GalleryCore
import Glibc
import ImageLoading
import TerminalUI

/// The `--plain` mode, which describes each image of a feed on one line of text.
///
/// It is designed for screen readers and braille displays. Each image is numbered and described as
/// soon as its load ends, so a slow server doesn't delay the others. Use this type on the main
/// thread.
struct PlainRun {
    let feed: Feed
    let manager: ImageManager
    /// The maximum number of simultaneous loads.
    let window: Int
    private(set) var output: ResultOutput

    private(set) var loadedCount = 0
    private(set) var failedCount = 0

    /// The size at which images are decoded, which is small because only their metadata is used.
    private static let targetSize = PixelSize(width: 40, height: 40)

    init(feed: Feed, manager: ImageManager, window: Int, output: Int32 = STDOUT_FILENO) {
        (self.feed, self.manager, self.window) = (feed, manager, window)
        self.output = ResultOutput(output)
    }

    /// Describes all images, and returns whether all of them were loaded.
    ///
    /// The method ends early if the output is closed.
    mutating func tellEverything() -> Bool {
        (loadedCount, failedCount) = (0, 0)
        let loads = LoadWindow(manager: manager)
        write("\(feed.title): \(Self.pictures(feed.count))")
        for index in 0..<feed.count where output.isOpen {
            let item = feed[index]
            if let problem = item.problem {
                tell(index, .failure(problem))
                continue
            }
            while loads.running >= window, let ended = loads.next() { tell(ended) }
            let request = item.request(
                targetSize: Self.targetSize,
                origin: feed.origin(at: index)
            )
            loads.start(request, index: index)
        }
        while output.isOpen, let ended = loads.next() { tell(ended) }
        let failed = failedCount > 0 ? ", \(failedCount) failed" : ""
        write("end: \(loadedCount) of \(Self.pictures(feed.count)) loaded\(failed)")
        return failedCount == 0 && output.isOpen
    }

    /// Loads one image and describes it.
    mutating func tell(_ index: Int, options: LoadingOptions) {
        let item = feed[index]
        if let problem = item.problem { return tell(index, .failure(problem)) }
        let loads = LoadWindow(manager: manager)
        let request = item.request(
            targetSize: Self.targetSize,
            options: options,
            origin: feed.origin(at: index)
        )
        loads.start(request, index: index)
        while let ended = loads.next() { tell(ended) }
    }

    private enum State {
        case loaded(ImageResponse)
        case failure(String)
    }

    private mutating func tell(_ ended: LoadWindow.Ended) {
        switch ended.result {
        case .success(let response): tell(ended.index, .loaded(response))
        case .failure(let error): tell(ended.index, .failure(error.description))
        }
    }

    private mutating func tell(_ index: Int, _ state: State) {
        let words: [String]
        switch state {
        case .loaded(let response):
            loadedCount += 1
            words = Self.words(for: response)
        case .failure(let reason):
            failedCount += 1
            words = ["failed: \(reason)"]
        }
        write("\(index + 1). \(feed[index].caption): \(words.joined(separator: ", "))")
    }

    /// Returns the state, the dimensions, the format and the file size of an image.
    ///
    /// The result contains words instead of symbols because screen readers pronounce symbols such
    /// as × in different ways.
    static func words(for response: ImageResponse) -> [String] {
        let properties = response.image.properties
        var words: [String] = []
        if let damage = response.image.damage {
            words.append("incomplete: \(damage)")
        } else {
            words.append(response.isStale ? "old copy" : "loaded from \(response.source.rawValue)")
        }
        words.append("\(properties.size.width) by \(properties.size.height)")
        words.append(properties.format.displayName)
        if properties.frameCount > 1 { words.append("\(properties.frameCount) frames") }
        if response.byteCount > 0 { words.append(CountText.bytes(response.byteCount)) }
        return words
    }

    static func pictures(_ count: Int) -> String {
        count == 1 ? "1 image" : "\(count) images"
    }

    /// Writes one line, without characters that could control the terminal.
    mutating func write(_ line: String) {
        let text = FrameText(line, symbols: .halfBlocks).text + "\n"
        output.write(Array(text.utf8))
    }
}

extension LoadingArguments {
    /// Describes the images in feeds as lines of text instead of opening the gallery.
    func tellPlainly(
        _ sources: [FeedSource],
        options: FeedOptions = FeedOptions()
    ) throws {
        try InterruptGuard.start()
        let manager = try makeManager()
        let feed: Feed
        do throws(FeedError) {
            feed = try FeedReader(manager: manager, options: options).read(sources)
        } catch {
            throw ProgramFailure(.feedUnreadable, error.description)
        }
        if let remark = feed.remark { printError("termgallery: \(remark)") }
        var run = PlainRun(feed: feed, manager: manager, window: transfers * 4)
        // On a terminal, the user requests individual images. Otherwise, all images are described.
        let isTalk = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
        guard !isTalk else {
            var session = PlainSession(feed: feed, manager: manager, run: run)
            session.talk()
            return waitFor { await manager.flush() }
        }
        let allWell = run.tellEverything()
        waitFor { await manager.flush() }
        try run.output.check()
        guard allWell else { throw ProgramFailure(.someFailed) }
    }
}
