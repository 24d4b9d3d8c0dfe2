import ArgumentParser
import GalleryCore

/// The options of the gallery, shared by the commands that open it.
struct GalleryArguments: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp("Scroll automatically from the start.")
    ) var autoscroll =
        false

    @Option(
        oneOf: GalleryPrefetcher.Mode.self,
        help: ArgumentHelp(
            "Load the next screen in the direction of scrolling in advance: off, disk (only the "
                + "bytes) or memory (decoded).",
            valueName: "where"
        )
    )
    var prefetch = GalleryPrefetcher.Mode.memory.rawValue

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "Print one line of text for each image instead of drawing a screen, for screen "
                + "readers. "
                + "In a terminal, one image at a time: Enter next, p previous, o open, r retry, q "
                + "quit, "
                + "? help."
        )
    )
    var plain = false

    @Option(
        help: ArgumentHelp(
            "The width of an image in the grid, 12 to 1000 columns (default: as last set "
                + "with the keys "
                + "[ and ], otherwise chosen by the window's size).",
            valueName: "columns"
        )
    )
    var tileWidth: Int?

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "Crop the images of the grid so that they fill their tiles; F switches (default: whole "
                + "images)."
        )
    )
    var crop = false

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "Make the tiles of the grid as wide as their images, instead of --crop; F switches "
                + "(default: equal tiles)."
        )
    )
    var justify = false

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "Open a feed at the position where it was closed, and remember the position."
        )
    )
    var remember = true

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "Show the transfers as lanes below the grid, and the bytes that were not downloaded "
                + "(default: only in the demo)."
        )
    )
    var lanes: Bool?

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "Cancel the load of a cell that leaves the screen. Without cancellation, images are "
                + "loaded in the order in which they were requested."
        )
    )
    var cancel = true

    @OptionGroup(title: "Slideshow and refresh") var pace: PaceArguments
    @Flag(inversion: .prefixedNo, help: .exact) var exact = false
    @OptionGroup(title: "Selection") var selection: SelectionArguments

    func validate() throws {
        guard tileWidth.map({ (12...1000).contains($0) }) ?? true else {
            throw ValidationError("--tile-width takes a number of columns from 12 to 1000.")
        }
    }

    private var prefetchMode: GalleryPrefetcher.Mode {
        GalleryPrefetcher.Mode(rawValue: prefetch) ?? .memory
    }

    /// The gallery's settings, except those from `SelectionArguments`.
    ///
    /// `makeOptions` adds those settings because they may require opening a label file.
    var settings: GallerySettings {
        var settings = GallerySettings(
            tileWidth: tileWidth ?? TileWidthFile().read(),
            scrollsByItself: autoscroll,
            prefetches: prefetchMode != .off
        )
        settings.tileStyle = justify ? .justified : crop ? .cropped : .whole
        settings.slideshow = pace.slideshow?.duration
        return settings
    }

    /// Creates the options for a gallery with `transfers` transfer slots.
    ///
    /// If neither `--lanes` nor `--no-lanes` is given, `showsLanes` determines whether the lanes
    /// are shown.
    func makeOptions(transfers: Int, showsLanes: Bool = false) throws -> GalleryOptions {
        var options = GalleryOptions(
            settings: settings,
            prefetch: prefetchMode,
            isExact: exact,
            refreshInterval: pace.refreshEvery?.duration,
            remembers: remember,
            tileWidthFile: TileWidthFile()
        )
        options.settings.lanes.areShown = lanes ?? showsLanes
        options.settings.lanes.slotCount = transfers
        options.settings.lanes.cancels = cancel
        try options.open(selection)
        options.settings.shuffleSeed = .random(in: 0..<1_000_000)
        return options
    }
}
