import Testing
import VirtualTerminal

@testable import GalleryCore
@testable import TerminalUI

@Suite struct DisplayStateTests {
    private func offering(_ symbols: [SymbolSet]) -> ScreenCapabilities {
        var capabilities = ScreenCapabilities.color
        capabilities.offeredSymbols = symbols
        return capabilities
    }

    @Test func `a chosen display mode remains while the terminal offers it`() {
        var display = DisplayState(offering([.halfBlocks, .braille]), settings: GallerySettings())
        var look = display.capabilities
        look.symbols = .braille
        display.choose(look)
        let settings = GallerySettings()
        #expect(display.take(offering([.halfBlocks, .braille]), settings: settings) == false)
        #expect(display.capabilities.symbols == .braille)
        #expect(display.take(offering([.halfBlocks]), settings: settings) == true)
        #expect(display.capabilities.symbols == .halfBlocks)
    }

    @Test func `the theme of the settings replaces that of the terminal`() {
        var display = DisplayState(.color, settings: GallerySettings())
        var settings = GallerySettings()
        settings.theme = .light
        #expect(display.take(.color, settings: settings) == true)
        #expect(display.capabilities.theme == .light)
        #expect(display.theme == Theme(display.capabilities))
        #expect(display.take(.color, settings: settings) == false)
    }

    @Test func `the size is unknown until it is reported`() {
        var display = DisplayState(.color, settings: GallerySettings())
        #expect(!display.isSizeKnown)
        display.resize(to: ScreenSize(columns: 3, rows: 2))
        #expect(display.isSizeKnown && !display.fits)
        display.resize(to: ScreenSize(columns: 80, rows: 24))
        #expect(display.fits)
    }
}
