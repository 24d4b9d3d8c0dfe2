import ArgumentParser
import GalleryCore

/// How the gallery behaves; shared by the commands that open it.
struct GalleryArguments: ParsableArguments {
    @Flag(help: "Scroll by itself from the start.") var autoscroll = false

    @Option(
        help: ArgumentHelp(
            "What is loaded before it is visible, the next screen in the direction of "
                + "scrolling: off, disk (only its bytes) or memory.",
            valueName: "where"
        )
    )
    var prefetch = AheadLoader.Mode.memory

    var options: GalleryOptions {
        let settings = GallerySettings(
            scrollsByItself: autoscroll,
            loadsAhead: prefetch != .off
        )
        return GalleryOptions(settings: settings, ahead: prefetch)
    }
}

extension AheadLoader.Mode: ExpressibleByArgument {}
