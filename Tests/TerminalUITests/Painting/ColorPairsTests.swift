import Testing

@testable import TerminalUI

@Suite struct ColorPairsTests {
    @Test func `each pair of colors is set once and then known`() {
        var pairs = ColorPairs(colorCount: 256, pairCount: 65_536, hasDefault: true)

        #expect(pairs.pair(for: .init(foreground: 1, background: 2)) == .set(1))
        #expect(pairs.pair(for: .init(foreground: 2, background: 1)) == .set(2))
        #expect(pairs.pair(for: .init(foreground: 1, background: 2)) == .known(1))
        #expect(pairs.pair(for: .init(foreground: -1, background: -1)) == .known(0))
    }

    @Test func `a full table reports it until it is emptied`() {
        var pairs = ColorPairs(colorCount: 256, pairCount: 65_536, hasDefault: true)
        for number in 0..<32_767 {
            _ = pairs.pair(for: .init(foreground: number % 256, background: number / 256))
        }

        #expect(pairs.pair(for: .init(foreground: 255, background: 255)) == .full)
        pairs.removeAll()
        #expect(pairs.pair(for: .init(foreground: 255, background: 255)) == .set(1))
    }

    @Test(arguments: [(8, 64), (16, 256), (8, 81)], [true, false])
    func `a small table never becomes full`(size: (colors: Int, pairs: Int), hasDefault: Bool) {
        var pairs = ColorPairs(
            colorCount: size.colors,
            pairCount: size.pairs,
            hasDefault: hasDefault
        )
        for foreground in -1..<256 {
            for background in -1..<256 {
                let wanted = ColorPairs.Colors(foreground: foreground, background: background)
                let fitted = pairs.fitted(wanted)
                #expect(fitted.foreground < size.colors && fitted.background < size.colors)
                #expect(pairs.pair(for: fitted) != .full)
            }
        }
    }

    @Test func `a table with room for the default colors keeps all pairs`() {
        let pairs = ColorPairs(colorCount: 16, pairCount: 17 * 17, hasDefault: true)
        for foreground in -1..<16 {
            for background in -1..<16 {
                let colors = ColorPairs.Colors(foreground: foreground, background: background)
                #expect(pairs.fitted(colors) == colors)
            }
        }
    }
}
