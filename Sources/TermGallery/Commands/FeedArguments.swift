import ArgumentParser
import GalleryCore
import ImageLoading

/// The FEED arguments of commands that need at least one.
struct FeedArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Feed file, http(s) URL, folder, picture, or - for a feed on standard input.",
            valueName: "feed"
        ),
        completion: .file()
    )
    var feeds: [String] = []

    func validate() throws {
        guard !feeds.isEmpty else {
            throw ValidationError("Name a feed: a file, an http(s) URL, a folder, a picture or -.")
        }
        try Self.validateStandardInput(feeds)
    }

    static func validateStandardInput(_ feeds: [String]) throws {
        guard feeds.count(where: { $0 == "-" }) <= 1 else {
            throw ValidationError("Standard input can be read once only.")
        }
    }

    var sources: [FeedSource] { feeds.map(FeedSource.init(argument:)) }

    /// Reads them all, however long that takes.
    func read(with manager: ImageManager) throws -> Feed {
        do throws(FeedError) {
            return try FeedReader(manager: manager).read(sources)
        } catch {
            throw ProgramFailure(.feedUnreadable, error.description)
        }
    }
}
