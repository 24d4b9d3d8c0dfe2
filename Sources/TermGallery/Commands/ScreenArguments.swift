public import ArgumentParser
public import GalleryCore

/// The options that say what the screen can show, where finding out isn't enough.
struct ScreenArguments: ParsableArguments {
    @Option(help: ArgumentHelp("Colours: 24bit, 256, 16 or mono.", valueName: "depth"))
    var colors: ColorDepth?

    @Option(help: ArgumentHelp("Characters for pixels: half or ascii.", valueName: "set"))
    var symbols: SymbolSet?

    var overrides: ScreenOverrides {
        ScreenOverrides(colorDepth: colors, symbols: symbols)
    }
}

extension ColorDepth: ExpressibleByArgument {}
extension SymbolSet: ExpressibleByArgument {}
