import ImageLoadingTesting
import Testing
import VirtualTerminal

@testable import TerminalUI

/// Characters of several scalars, in terminals that lay them out differently.
@Suite struct ClusterPaintingTests {
    private static let captions = [
        "हिन्दी", "क्षि", "x̂y", "👨‍👩‍👧", "❤️ 🇩🇪", "தமிழ்", "กำก้", "日\u{301}本", "👍🏽", "1️⃣", "ශ්‍රී",
    ]
    private let size = ScreenSize(columns: 30, rows: 4)

    /// A frame like the one before, with a few more captions and cells.
    private func changed(
        _ frame: Frame,
        _ frames: inout RandomFrames,
        graphemeClusters: Bool
    ) -> Frame {
        var frame = frames.next(after: frame)
        guard frame.size == size else { return frames.full(size: size) }
        for _ in 0..<4 {
            let text = FrameText(
                Self.captions.randomElement(using: &frames.generator) ?? "",
                symbols: .halfBlocks,
                graphemeClusters: graphemeClusters
            )
            frame.draw(
                text,
                row: Int.random(in: 0..<size.rows, using: &frames.generator),
                column: Int.random(in: 0..<size.columns, using: &frames.generator),
                style: CellStyle(foreground: .rgb(9, 9, 9), background: .rgb(0, 0, 90))
            )
        }
        return frame
    }

    /// Columns of characters that are laid out in more than one way.
    private func uncertain(in frame: Frame, row: Int) -> Set<Int> {
        var found: Set<Int> = []
        var start = 0
        while start < frame.size.columns {
            var end = start + 1
            while end < frame.size.columns, frame[row, end].isContinuation { end += 1 }
            if (start..<end).contains(where: { frame[row, $0].isCluster }) {
                found.formUnion(start..<end)
            }
            start = end
        }
        return found
    }

    @Test(
        arguments: VirtualScreen.ClusterLayout.allCases,
        1...12 as ClosedRange<UInt64>
    )
    func `whatever a terminal makes of a cluster, its neighbors stay as they are`(
        layout: VirtualScreen.ClusterLayout,
        seed: UInt64
    ) {
        // A terminal that lays out each scalar separately does not report support for clusters.
        for graphemeClusters in layout == .scalars ? [false] : [false, true] {
            var frames = RandomFrames(generator: SeededGenerator(seed: seed))
            var frame = frames.full(size: size)
            var encoder = FrameEncoder()
            var screen = VirtualScreen(size: size)
            screen.clusterLayout = layout
            let isAgreed = graphemeClusters ? layout == .clusters : layout == .scalars

            for step in 0..<25 {
                frame = changed(frame, &frames, graphemeClusters: graphemeClusters)
                screen.write(encoder.encode(frame))

                var shown = screen.frame
                for row in 0..<size.rows where !isAgreed {
                    for column in uncertain(in: frame, row: row) {
                        shown[row, column] = frame[row, column]
                    }
                }
                let differences = shown.differences(from: frame)
                #expect(differences.isEmpty, "\(layout), \(step): \(differences.prefix(3))")
            }
            #expect(screen.unknownSequences.isEmpty)
        }
    }

    @Test func `a terminal that splits an emoji sequence changes no other cell`() {
        var frame = Frame(size: size)
        let text = FrameText("abcdefghijklmnop", symbols: .halfBlocks)
        frame.draw(text, row: 1, column: 0, style: .plain)
        var encoder = FrameEncoder()
        var screen = VirtualScreen(size: size)
        screen.write(encoder.encode(frame))
        let family = FrameText("👨‍👩‍👧", symbols: .halfBlocks, graphemeClusters: true)
        frame.draw(family, row: 1, column: 4, style: .plain)

        screen.write(encoder.encode(frame))

        #expect(screen[1, 4].scalars.first == 0x1F468)
        for column in 0..<size.columns where !(4..<6).contains(column) {
            #expect(screen[1, column] == frame[1, column])
        }
    }

    @Test func `a cluster is written in one piece over blanks, and the cursor is positioned again`()
    {
        var frame = Frame(size: ScreenSize(columns: 9, rows: 1))
        var encoder = FrameEncoder()
        _ = encoder.encode(frame)
        frame.draw(FrameText("हिx", symbols: .halfBlocks), row: 0, column: 2, style: .plain)

        let bytes = encoder.encode(frame)

        let expected = "\u{1B}[2C  \u{1B}[1;3Hहि\u{1B}[1;5Hx"
        #expect(Array(bytes) == Array(expected.utf8))
    }

    @Test func `a printed line contains the whole caption`() {
        var frame = Frame(size: ScreenSize(columns: 9, rows: 1))
        frame.draw(FrameText("हिन्दी x̂", symbols: .halfBlocks), row: 0, column: 0, style: .plain)

        #expect(String(decoding: FrameLines.bytes(of: frame), as: UTF8.self) == "हिन्दी x̂\n")
    }
}
