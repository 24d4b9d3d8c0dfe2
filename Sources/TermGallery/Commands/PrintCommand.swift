import ArgumentParser
import Feeds
import GalleryCore
import Glibc
import ImageLoading
import TerminalUI

/// The `termgallery print` command, which prints thumbnails on standard output.
struct PrintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "print",
        abstract: "Print thumbnails on standard output, in feed order.",
        discussion: """
            Works without a terminal: redirect the output to a file, or pipe it into less -R. Colors are \
            24-bit unless the terminal or NO_COLOR requires fewer. The exit status is 1 if an image \
            could not be shown.
            """
    ).withoutCompletions

    @OptionGroup var feeds: FeedArguments
    @Option(
        help: ArgumentHelp(
            "The number of images per row (default: as many as fit).",
            valueName: "count"
        )
    )
    var columns: Int?
    @Option(
        help: ArgumentHelp("The size of each image in terminal cells.", valueName: "WxH"),
        transform: CellBoxArgument.checked
    )
    var size: String?
    @Flag(inversion: .prefixedNo, help: .exact) var exact = false
    @Flag(help: "Make the captions links to the images, in terminals that support OSC 8.")
    var links = false
    @OptionGroup(title: "Display") var screen: ScreenArguments
    @OptionGroup(title: "Loading") var loading: LoadingArguments

    func validate() throws {
        guard columns.map({ (1...100).contains($0) }) ?? true else {
            throw ValidationError("--columns takes a number from 1 to 100.")
        }
        guard let columns, let box else { return }
        // A row is drawn in memory before it is printed.
        guard columns * box.columns * box.rows <= 1 << 20 else {
            throw ValidationError("--columns and --size give rows of more than a million cells.")
        }
    }

    private var box: ScreenSize? { size.flatMap(CellBoxArgument.box) }

    func run() throws {
        try feeds.requireOne()
        try FeedNameCheck.check(feeds.names)
        try printFeeds()
    }

    /// Prints the feeds, or the images in the current directory if no feed is named.
    func printFeeds() throws {
        try InterruptGuard.start()
        let manager = try loading.makeManager()
        let feed = try feeds.read(with: manager)
        let profile = OutputProfile(screen.overrides)
        TerminalMemory().remember(profile.replies)
        var sheet = sheet(imageCount: feed.count, profile)
        sheet.hasLinks = links
        var run = PrintRun(
            feed: feed,
            manager: manager,
            window: loading.transfers * 4,
            sheet: sheet,
            pictures: profile.pictures
        )
        run.isExact = exact
        let allWell = run.printEverything()
        waitFor { await manager.flush() }
        manager.endHelpers()
        try run.output.check()
        guard allWell else { throw ProgramFailure(.someFailed) }
    }

    /// Returns the layout of the thumbnails.
    ///
    /// A single image fills the width. Several images are placed side by side.
    private func sheet(imageCount: Int, _ profile: OutputProfile) -> ContactSheet {
        let standard = ScreenSize(columns: 24, rows: 12)
        let fitting = ContactSheet.columns(fitting: profile.width, imageBox: box ?? standard)
        let count = columns ?? min(imageCount, fitting)
        let width = max(4, profile.width / max(1, count) - 1)
        // An image and its caption fit on the screen together with the shell prompt.
        let height = max(4, (profile.height ?? .max) - 2)
        let box =
            box ?? ScreenSize(columns: min(80, width), rows: min(40, (width + 1) / 2, height))
        return ContactSheet(columns: count, imageBox: box, capabilities: profile.capabilities)
    }
}

/// A size in terminal cells on the command line, such as "40x20".
enum CellBoxArgument {
    /// Returns the argument unchanged if it is a valid size, or throws an error otherwise.
    @Sendable static func checked(_ argument: String) throws -> String {
        guard box(argument) != nil else {
            throw ValidationError("use a number of columns and a number of rows, such as 40x20.")
        }
        return argument
    }

    /// Returns the size, or nil if the argument is invalid.
    static func box(_ argument: String) -> ScreenSize? {
        let sides = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false)
        guard sides.count == 2, sides.joined().allSatisfy({ ("0"..."9").contains($0) }),
            let columns = Int(sides[0]), let rows = Int(sides[1]),
            (1...1000).contains(columns), (1...1000).contains(rows)
        else { return nil }
        return ScreenSize(columns: columns, rows: rows)
    }
}
