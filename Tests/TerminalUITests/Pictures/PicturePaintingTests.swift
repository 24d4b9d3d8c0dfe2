import Decoders
import Glibc
import Testing

@testable import TerminalUI

/// The painter with pictures: what reaches the terminal, and when.
@Suite final class PicturePaintingTests {
    private var ends: [Int32] = [-1, -1]
    private var time = ContinuousClock.now
    private let ready: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (ready, continuation) = AsyncStream.makeStream()
        pipe(&ends)
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
    }

    deinit {
        for end in ends { close(end) }
    }

    private func painter() -> DirectPainter {
        DirectPainter(
            output: TerminalOutput(descriptor: ends[1]),
            options: FrameEncoder.Options(),
            onPictureReady: { [continuation] in continuation.yield() },
            now: { [unowned self] in time }
        )
    }

    private func painterInTmux() -> DirectPainter {
        let painter = painter()
        var tmux = TerminalCapabilities()
        tmux.passesThroughTmux = true
        painter.take(tmux)
        return painter
    }

    /// Returns the output since the last call.
    private func written() -> String {
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = max(0, read(ends[0], &bytes, bytes.count))
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    private func frame(_ graphics: GraphicsProtocol) -> Frame {
        var frame = PictureFrames.frame()
        frame.graphics = graphics
        return frame
    }

    /// Paints until all pictures are encoded, and once more.
    private func paint(_ frame: Frame, with painter: DirectPainter) async -> String {
        painter.paint(frame)
        var count = 0
        for await _ in ready {
            count += 1
            if count == frame.images.count { break }
        }
        let before = written()
        painter.paint(frame)
        return before + "|" + written()
    }

    @Test(arguments: GraphicsProtocol.allCases)
    func `cells are drawn first, images when they are encoded`(graphics: GraphicsProtocol) async {
        let painter = painter()

        let parts = await paint(frame(graphics), with: painter).split(separator: "|", maxSplits: 1)

        let marks = ["\u{1B}_Ga=", "\u{1B}]1337;File=", "\u{1B}P"]
        #expect(marks.allSatisfy { !parts[0].contains($0) })
        #expect(marks.contains { parts[1].contains($0) })
        #expect(parts[1].hasSuffix("\u{1B}[5n"))
    }

    // kitty 0.47 shows the pictures of placeholders only when it draws the next time.
    @Test func `an empty frame follows new placeholders, and nothing else at rest`() async {
        let painter = painter()
        let frame = frame(.kittyPlaceholders)
        _ = await paint(frame, with: painter)
        #expect(painter.backlog.contains(.rest))

        var nudges = 0
        for _ in 0..<40 {
            time = time.advanced(by: .milliseconds(100))
            painter.paint(frame)
            let text = written()
            if text == "\u{1B}[?2026h\u{1B}[?2026l" { nudges += 1 } else { #expect(text.isEmpty) }
        }

        #expect(nudges == 4)
        #expect(painter.backlog.isEmpty)
    }

    /// A frame with one image of which half as many pixels are sent through tmux: enlarged noise.
    private func noise() -> Frame {
        let small = Pictures.noise(width: 100, height: 110, seed: 4)
        func mixed(_ x: Int, _ y: Int, _ channel: Int) -> UInt8 {
            func sample(_ column: Int, _ row: Int) -> Double {
                Double(small.bytes[(min(row, 109) * 100 + min(column, 99)) * 4 + channel])
            }
            let (across, down) = (max(0, Double(x) / 2 - 0.25), max(0, Double(y) / 2 - 0.25))
            let (column, row) = (Int(across), Int(down))
            let (right, below) = (across - Double(column), down - Double(row))
            let top = sample(column, row) * (1 - right) + sample(column + 1, row) * right
            let bottom = sample(column, row + 1) * (1 - right) + sample(column + 1, row + 1) * right
            return UInt8(top * (1 - below) + bottom * below)
        }
        let pixels = Pictures.make(width: 200, height: 220) { x, y in
            (mixed(x, y, 0), mixed(x, y, 1), mixed(x, y, 2))
        }
        var capabilities = ScreenCapabilities(colorDepth: .trueColor, symbols: .halfBlocks)
        capabilities.graphics = .kittyPlaceholders
        capabilities.cellPixels = PixelSize(width: 10, height: 20)
        let box = FrameRect(row: 0, column: 0, rows: 11, columns: 20)
        var frame = Frame(size: ScreenSize(columns: 40, rows: 12))
        frame.graphics = .kittyPlaceholders
        let image = CellImage(
            pixels,
            box: ScreenSize(columns: box.columns, rows: box.rows),
            capabilities: capabilities
        )
        frame.draw(FrameImage(image, centeredIn: box))
        return frame
    }

    // The thread sanitizer takes minutes to compress the noise while other tests are running.
    @Test(.timeLimit(.minutes(15)))
    func `through tmux an image is sent in half resolution, then in full when idle`() async {
        let painter = painterInTmux()
        let frame = noise()

        let first = await paint(frame, with: painter)
        #expect(first.components(of: "a=T,U=1") == 1 && painter.backlog.contains(.rest))
        // The terminal has not answered yet, so the line is not idle.
        painter.paint(frame)
        #expect(!written().contains("a=T"))
        painter.takeFence()
        let second = await paint(frame, with: painter)
        painter.takeFence()

        #expect(second.components(of: "a=T,U=1") == 1 && second.components(of: "a=d,d=I") == 1)
        #expect(second.utf8.count > first.utf8.count)
        time = time.advanced(by: .seconds(10))
        for _ in 0..<8 { painter.paint(frame) }
        #expect(!written().contains("a=T") && painter.backlog.isEmpty)
    }

    // tmux 3.3a discards what it cannot pass on at once. The images were black until ^L.
    @Test(.timeLimit(.minutes(15)))
    func `an image that tmux has discarded is sent again`() async {
        let painter = painterInTmux()
        let frame = noise()

        let first = await paint(frame, with: painter)
        #expect(first.components(of: "a=T,U=1") == 1)
        #expect(first.components(of: "\u{1B}Ptmux;\u{1B}\u{1B}[5n\u{1B}\\") == 1)
        time = time.advanced(by: .seconds(3))
        painter.paint(frame)
        let second = written()

        #expect(second.components(of: "a=T,U=1") == 1 && second.components(of: "a=d,d=I") == 1)
        #expect(painter.backlog.contains(.rest))
    }

    // The images of changed rows became blocks in tmux 3.8 with sixel.
    @Test(arguments: [
        ("tmux", GraphicsProtocol.sixel), ("tmux", .kittyPlaceholders), ("foot", .sixel),
    ])
    func `only beside sixel images in tmux a change is not synchronized`(
        name: String,
        graphics: GraphicsProtocol
    ) async {
        let painter = painter()
        var terminal = TerminalCapabilities()
        terminal.name = TerminalName("\(name) 3.8")
        painter.take(terminal)
        var frame = frame(graphics)
        _ = await paint(frame, with: painter)

        for column in 0..<20 {
            for row in 6..<9 {
                frame[row, column] = FrameCell(
                    "x",
                    foreground: .rgb(UInt8(column), 0, 200),
                    background: .rgb(0, UInt8(column), 100)
                )
            }
        }
        painter.paint(frame)
        let change = written()

        #expect(change.utf8.count > 512)
        #expect(change.contains("?2026h") == (name != "tmux" || graphics.keepsPictures))
    }

    @Test func `restoring the terminal deletes its images`() async {
        let painter = painter()
        _ = await paint(frame(.kitty), with: painter)

        painter.leave()

        #expect(written().components(of: "a=d,d=I") == 3)
    }
}

extension String {
    fileprivate func components(of part: String) -> Int {
        ranges(of: part).count
    }
}
