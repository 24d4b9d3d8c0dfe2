import ArgumentParser
import Feeds
import GalleryCore
import ImageLoading
import TerminalUI

/// The FEED arguments, which name the feeds to open.
struct FeedArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "A feed file, an http(s) URL, a folder, an image, an archive, or - for a feed "
                + "on standard input.",
            valueName: "feed"
        ),
        completion: .file()
    )
    var names: [String] = []

    @Flag(help: "Open all known feeds as one (see termgallery help feeds).")
    var all = false

    @OptionGroup(title: "Feeds") var reading: ReadingArguments

    func validate() throws {
        // `sources` throws the error for an unreadable file, which has its own exit code.
        if all, let known = try? SubscriptionFile().sources(), known.isEmpty {
            throw ValidationError(
                "There are no known feeds. Add one with termgallery feeds add URL."
            )
        }
        guard names.count(where: { $0 == "-" }) <= 1 else {
            throw ValidationError("Standard input can only be read once.")
        }
    }

    /// Throws an error if no feed is named, for commands that need at least one feed.
    ///
    /// Call this method from `run` instead of `validate`, because the parser validates before it
    /// reports an unknown option. If the user mistypes an option and names no feed, the error must
    /// be about the option.
    func requireOne() throws(ProgramFailure) {
        guard !names.isEmpty || all else {
            throw ProgramFailure(
                .usage,
                "name a feed: a file, an http(s) URL, a folder, an image or -"
            )
        }
    }

    /// The named sources, or the current directory if no source is named.
    var sources: [FeedSource] {
        get throws {
            let known = all ? try SubscriptionFile().sources() : []
            let sources = names.map(FeedSource.init(argument:)) + known
            return sources.isEmpty ? [.currentFolder] : sources
        }
    }

    /// Reads all sources as one feed, without a time limit.
    func read(with manager: ImageManager) throws -> Feed {
        let sources = try sources
        do throws(FeedError) {
            let reader = FeedReader(manager: manager, options: reading.options)
            let feed = try reader.read(sources)
            if let remark = feed.remark { printError("termgallery: \(remark)") }
            return feed
        } catch {
            throw ProgramFailure(.feedUnreadable, error.description)
        }
    }
}

/// The options that override the detected capabilities of the screen.
struct ScreenArguments: ParsableArguments {
    @Option(
        oneOf: ColorDepth.self,
        help: ArgumentHelp(
            "The color depth: 24bit, 256, 16 or mono (default: what the terminal supports).",
            valueName: "depth"
        )
    )
    var colors: String?

    @Option(
        oneOf: SymbolSet.self,
        help: ArgumentHelp(
            "The characters that draw pixels: half, quadrants, sextants, octants, braille "
                + "or ascii.",
            valueName: "set"
        )
    )
    var symbols: String?

    @Option(
        oneOf: Dithering.self,
        help: ArgumentHelp(
            "The dithering at 256 colors or fewer: none, ordered or diffusion.",
            valueName: "way"
        )
    )
    var dither: String?

    @Option(
        oneOf: PixelChoice.self,
        help: ArgumentHelp(
            "The protocol for real pixels: auto (if the terminal supports one), kitty, "
                + "iterm, sixel or off.",
            valueName: "protocol"
        )
    )
    var pixels = PixelChoice.auto.rawValue

    @Option(
        oneOf: ThemeChoice.self,
        help: ArgumentHelp(
            "The theme of the screen: auto (matches the terminal's background), dark, light, or "
                + "terminal (uses the terminal's own colors).",
            valueName: "name"
        )
    )
    var theme = ThemeChoice.auto.rawValue

    var overrides: ScreenOverrides {
        ScreenOverrides(
            colorDepth: colors.flatMap(ColorDepth.init),
            symbols: symbols.flatMap(SymbolSet.init),
            dithering: dither.flatMap(Dithering.init),
            pixels: PixelChoice(rawValue: pixels) ?? .auto,
            theme: ThemeChoice(rawValue: theme) ?? .auto
        )
    }
}

/// The options that select the configuration, shared by all commands that use one.
///
/// `ConfigurationFile` evaluates them before the arguments are parsed.
struct ConfigurationArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The configuration file (default: $XDG_CONFIG_HOME/termgallery/config.toml).",
            valueName: "file"
        ),
        completion: .file()
    )
    var config: String?

    @Flag(help: ArgumentHelp("Do not read a configuration file."))
    var noConfig = false
}

extension ArgumentHelp {
    /// The help text of `--exact`.
    ///
    /// The commands share only the text because an option group for a single flag would cost a
    /// million instructions at every start.
    static let exact: Self = """
        Make each thumbnail from the image itself, even if the camera embedded one in the file. \
        An embedded thumbnail takes a hundredth of the time and bytes.
        """
}

/// The options for the location and the size limit of the disk cache.
struct DiskCacheArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The largest size of the disk cache (suffixes k, M, G; default: 512M).",
            valueName: "bytes"
        ),
        transform: ByteCountArgument.value
    )
    var diskCache: Int?

    @Option(
        help: ArgumentHelp(
            "The folder of the disk cache (default: $XDG_CACHE_HOME/termgallery).",
            valueName: "folder"
        ),
        completion: .directory
    )
    var cacheDir: String?

    /// Throws an error if the cache directory has an empty name.
    ///
    /// An unset shell variable results in an empty name, which would refer to the current
    /// directory.
    func validate() throws {
        guard cacheDir?.isEmpty != true else {
            throw ValidationError("--cache-dir takes the name of a folder.")
        }
    }

    var configuration: DiskCacheConfiguration {
        // The name is fixed, regardless of the name of the executable.
        var configuration = DiskCacheConfiguration(
            directory: DiskCacheConfiguration.defaultDirectory(named: "termgallery")
        )
        if let diskCache { configuration.byteLimit = diskCache }
        if let cacheDir { configuration.directory = AbsolutePath.of(cacheDir) }
        return configuration
    }
}
