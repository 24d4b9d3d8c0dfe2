import ImageLoadingTesting
import Testing
import VirtualTerminal

@testable import TerminalUI

@Suite struct TwoColorSplitTests {
    @Test(arguments: [4, 6, 8])
    func `no split has a smaller error than the chosen one`(count: Int) {
        let split = TwoColorSplit(pixelCount: count)
        var generator = SeededGenerator(seed: UInt64(count))
        for round in 0..<60 {
            let pixels = Self.randomPixels(count: count, spread: 1 + round * 4, &generator)

            let chosen = Self.error(of: split.best(pixels), pixels, count: count)

            let least = (0..<1 << count).map { Self.error(of: $0, pixels, count: count) }.min()
            #expect(chosen <= (least ?? 0) * 1.000_01 + 0.01, "round \(round)")
        }
    }

    @Test(arguments: [4, 6, 8])
    func `every split into two plain colors is found`(count: Int) {
        let split = TwoColorSplit(pixelCount: count)
        for pattern in 0..<1 << (count - 1) {
            var pixels = CellPixels()
            for pixel in 0..<count {
                pixels[pixel] = SIMD4(pattern >> pixel & 1 == 1 ? 200 : 190, 60, 20, 255)
            }

            #expect(split.best(pixels) == pattern)
        }
    }

    @Test func `no two entries of 16 are nearer to a cell than those chosen`() {
        let colors = (0..<16).map { TerminalPalette.ansi16.color(of: UInt8($0)) }
        var generator = SeededGenerator(seed: 3)
        for round in 0..<12 {
            let pixels = Self.randomPixels(count: 4, spread: 20 + round * 20, &generator)

            let chosen = Self.error(pixels, Self.choice(pixels, .ansi16))

            // A mean is rounded before its entry is looked up.
            #expect(chosen <= Self.leastError(pixels, colors) + 4 * 9, "round \(round)")
        }
    }

    @Test func `no other split, shown in the entries of 256 nearest to its means, is nearer`() {
        let palette = TerminalPalette.xterm256
        var generator = SeededGenerator(seed: 3)
        var splitCount = 0
        for round in 0..<12 {
            let pixels = Self.randomPixels(count: 4, spread: 20 + round * 20, &generator)
            // Of two entries or one, each pixel is in its own.
            let own = Set((0..<4).map { palette.nearest(to: RGB(pixels[$0])).index })
            guard own.count > 2 else { continue }
            splitCount += 1

            let chosen = Self.error(pixels, Self.choice(pixels, palette))

            let least = (0..<8).map { pattern in
                let outside = palette.nearest(to: pixels.mean(of: 15 & ~pattern))
                let inside = pattern == 0 ? outside : palette.nearest(to: pixels.mean(of: pattern))
                let split = PaletteSplit.Choice(pattern: pattern, inside: inside, outside: outside)
                return Self.error(pixels, split)
            }
            #expect(chosen <= least.min() ?? 0, "round \(round)")
        }
        #expect(splitCount > 5)
    }

    private static func choice(
        _ pixels: CellPixels,
        _ palette: TerminalPalette
    ) -> PaletteSplit.Choice {
        PaletteSplit(palette: palette, split: TwoColorSplit(pixelCount: 4)).best(pixels)
    }

    private static func error(_ pixels: CellPixels, _ choice: PaletteSplit.Choice) -> Int {
        (0..<4).reduce(0) { sum, pixel in
            let isInside = choice.pattern >> pixel & 1 == 1
            let shown = isInside ? choice.inside.color : choice.outside.color
            return sum + TerminalPalette.distance(RGB(pixels[pixel]), shown)
        }
    }

    /// Returns the error of the best two colors, with each pixel in the nearer one.
    private static func leastError(_ pixels: CellPixels, _ colors: [RGB]) -> Int {
        let distances = colors.map { color in
            (0..<4).map { TerminalPalette.distance(RGB(pixels[$0]), color) }
        }
        var least = Int.max
        for (index, one) in distances.enumerated() {
            for other in distances[index...] {
                var error = 0
                for pixel in 0..<4 { error += min(one[pixel], other[pixel]) }
                least = min(least, error)
            }
        }
        return least
    }

    private static func randomPixels(
        count: Int,
        spread: Int,
        _ generator: inout SeededGenerator
    ) -> CellPixels {
        var pixels = CellPixels()
        func channel() -> UInt8 {
            UInt8(clamping: 128 + .random(in: -spread...spread, using: &generator))
        }
        for pixel in 0..<count { pixels[pixel] = SIMD4(channel(), channel(), channel(), 255) }
        return pixels
    }

    /// The squared error of both groups in their means.
    private static func error(of pattern: Int, _ pixels: CellPixels, count: Int) -> Double {
        let groups = [true, false].map { isInside in
            (0..<count).filter { (pattern >> $0 & 1 == 1) == isInside }.map { pixels[$0] }
        }
        return groups.reduce(0) { $0 + error(of: $1) }
    }

    private static func error(of group: [SIMD4<UInt8>]) -> Double {
        (0..<3).reduce(0) { sum, channel in
            let values = group.map { Double($0[channel]) }
            let mean = values.reduce(0, +) / Double(max(1, values.count))
            return sum + values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        }
    }
}
