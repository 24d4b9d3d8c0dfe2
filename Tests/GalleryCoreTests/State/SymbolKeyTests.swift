import Decoders
import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

@Suite struct SymbolKeyTests {
    @Test func `b cycles through all symbols and names them`() {
        var gallery = Gallery(count: 1)
        var seen: [SymbolSet] = []

        for symbols in SymbolSet.allCases {
            #expect(gallery.state.capabilities.symbols == symbols)
            gallery.press("b")
            seen.append(gallery.state.capabilities.symbols)
            let title = gallery.state.capabilities.symbols.title
            #expect(gallery.lines.last?.contains("images: \(title)") == true)
        }

        #expect(seen.last == .halfBlocks)
        #expect(Set(seen) == Set(SymbolSet.allCases))
    }

    @Test func `only symbols offered to the terminal can be chosen`() {
        var capabilities = ScreenCapabilities.color
        capabilities.offeredSymbols = [.halfBlocks, .braille]
        var gallery = Gallery(count: 1, capabilities: capabilities)

        gallery.press("b")
        #expect(gallery.state.capabilities.symbols == .braille)
        gallery.press("b")
        #expect(gallery.state.capabilities.symbols == .halfBlocks)
    }

    @Test func `without other symbols b reports it and changes nothing`() {
        var capabilities = ScreenCapabilities.color
        capabilities.offeredSymbols = [.halfBlocks]
        var gallery = Gallery(count: 1, capabilities: capabilities)

        #expect(gallery.press("b").isEmpty)
        #expect(gallery.lines.last?.contains("no other way to draw images") == true)
    }

    @Test func `a small image without more pixels is not loaded again`() {
        var gallery = Gallery(count: 1)
        gallery.send(.slot(0, .image(.plain(4, 4), .memory)))

        for _ in SymbolSet.allCases {
            #expect(gallery.press("b").isEmpty)
        }

        #expect(gallery.lines.joined().contains("▀"))
    }

    @Test func `finer symbols load a reduced image again, once, and show it meanwhile`() {
        var gallery = Gallery(count: 1)
        let target = gallery.state.targetSize
        gallery.send(.slot(0, .image(.plain(target.width, target.height), .memory)))

        let finer = gallery.press("b").compactMap(\.targetSize)
        #expect(finer == [PixelSize(width: target.width * 2, height: target.height * 2)])
        #expect(gallery.state.pool.slots[0].cellImage != nil)

        #expect(gallery.press("b").isEmpty)
    }

    @Test func `coarser symbols load nothing`() {
        var gallery = Gallery(count: 1)
        gallery.press("b")
        let target = gallery.state.targetSize
        gallery.send(.slot(0, .image(.plain(target.width, target.height), .memory)))

        while gallery.state.capabilities.symbols != .halfBlocks {
            #expect(gallery.press("b").isEmpty)
        }
    }

    @Test func `an image that is still loading is requested at the new size`() {
        var gallery = Gallery(count: 2)

        let bound = gallery.press("b").compactMap(\.boundItem)

        #expect(Set(bound) == [0, 1])
    }

    @Test func `other symbols do not retry a failed image`() {
        var gallery = Gallery(count: 1)
        gallery.send(.slot(0, .failed(.cancelled)))  // shown as failed

        #expect(gallery.press("b").isEmpty)
    }
}
