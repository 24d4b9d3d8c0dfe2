public import ArgumentParser
public import GalleryCore

/// The options that say what the screen can show, where finding out isn't enough.
struct ScreenArguments: ParsableArguments {
    @Option(help: ArgumentHelp("Colours: 24bit, 256, 16 or mono.", valueName: "depth"))
    var colors: ColorDepth?

    @Option(
        help: ArgumentHelp(
            "Characters for pixels: half, quadrants, sextants, octants, braille or ascii.",
            valueName: "set"
        )
    )
    var symbols: SymbolSet?

    @Option(
        help: ArgumentHelp(
            "How 256 colours and less show tones between them: none, ordered or diffusion.",
            valueName: "way"
        )
    )
    var dither: Dithering?

    var overrides: ScreenOverrides {
        ScreenOverrides(colorDepth: colors, symbols: symbols, dithering: dither)
    }
}

extension ColorDepth: ExpressibleByArgument {}
extension SymbolSet: ExpressibleByArgument {}
extension Dithering: ExpressibleByArgument {}
