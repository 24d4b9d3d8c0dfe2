import DemoServer
import Feeds
import Foundation
import GalleryCore
import Glibc
import PropertyRuns
import TerminalUI
import Testing
import VirtualTerminal

extension EndToEndFaults {
    /// A gallery in which pages are turned for long.
    @Suite struct SoakTests {
        /// The number of pages of eight or more images; `SOAK=6000` changes it.
        private static let pageCount = PropertyRuns.count(40, unless: "SOAK", least: 15)
        private static let pictureCount = 400

        private let program = TestProgram()

        @Test
        func `turning pages for long costs no memory, thread or file, and no image is wrong`()
            throws
        {
            let server = try PictureServer(count: Self.pictureCount)
            defer {
                server.stop()
                program.remove()
            }
            let options = ["--memory-cache", "1M", "--disk-cache", "1M"]
            let terminal = try program.openGallery(options + [try feed(server)])
            try terminal.expectPosition("1/\(Self.pictureCount)")
            var reader = Reader(terminal: terminal, pictureCount: Self.pictureCount)

            var usages: [ProcessUsage] = []
            for _ in 0..<5 {
                for _ in 0..<(Self.pageCount / 5) { try reader.turnPage() }
                try reader.rest()
                usages.append(try #require(ProcessUsage(of: terminal.process)))
            }

            print("soak: \(Self.pageCount) pages; \(usages.map(\.description))")
            // Caches and pools fill up first.
            let (first, last) = (usages[1], usages[4])
            #expect(last.threadCount <= first.threadCount + 4)
            #expect(last.fileCount <= first.fileCount + 8)
            if !PropertyRuns.isSanitized {
                #expect(last.memoryByteCount <= first.memoryByteCount * 5 / 4 + (8 << 20))
            }
            terminal.type("q")
            try terminal.expectEnd(.exited(0))
            #expect(eventually { server.counters.liveNow == 0 })
            let counters = server.counters
            #expect(counters.requests == counters.completed + counters.aborted)
        }

        /// Every third image is a file that is identified by its color; of the others, some are
        /// slow, some truncated, and some missing.
        private func feed(_ server: PictureServer) throws -> String {
            try program.feed(
                (1...Self.pictureCount).map { number in
                    let caption = Reader.caption(number)
                    switch number % 12 {
                    case 0, 3, 6, 9:
                        let file = try SamplePictures.file(number: number)
                        let name = "\(number).\(file.name.suffix(3))"
                        return "\(try program.write(file.bytes, to: name)) \(caption)"
                    case 1: return "\(server.url(number, query: "latency=40")) \(caption)"
                    case 5: return "\(server.url(number, query: "reset=100")) \(caption)"
                    case 7: return "\(server.url(number, query: "status=404")) \(caption)"
                    default: return "\(server.url(number)) \(caption)"
                    }
                }
            )
        }
    }
}

/// A user who pages through the feed and sometimes opens an image.
private struct Reader {
    private static let sizes = [(80, 24), (100, 30), (60, 20)]

    let terminal: PseudoTerminal
    let pictureCount: Int
    private var random = SystemRandomNumberGenerator()

    init(terminal: PseudoTerminal, pictureCount: Int) {
        (self.terminal, self.pictureCount) = (terminal, pictureCount)
    }

    /// Returns a caption of constant length, so that none is the prefix of another.
    static func caption(_ number: Int) -> String { "Nr\(1_000 + number)" }

    /// The number of the selected picture; nil while the status bar is not there.
    private func position(on screen: VirtualScreen) -> Int? {
        screen.lastLine.firstMatch(of: #/^ (\d+)\/\d+ /#).flatMap { Int($0.1) }
    }

    /// Turns a page, or does something else that people do between two.
    mutating func turnPage() throws {
        switch Int.random(in: 0..<20, using: &random) {
        case 0: terminal.type("c")
        case 1: terminal.type("R")
        case 2:
            let (columns, rows) = Self.sizes.randomElement(using: &random) ?? Self.sizes[0]
            terminal.resize(to: ScreenSize(columns: columns, rows: rows))
            try terminal.expect("a status bar") { position(on: $0) != nil }
        case 3, 4: try rest()
        default: break
        }
        let old = position(on: terminal.screen)
        let isNearEnd = (old ?? 1) > pictureCount - 100
        let isNearStart = (old ?? 1) < 100
        let goesBack = isNearEnd || (!isNearStart && Int.random(in: 0..<4, using: &random) == 0)
        terminal.type(goesBack ? "\u{1B}[5~" : "\u{1B}[6~")
        try terminal.expect("another page") { screen in
            position(on: screen).map { $0 != old } ?? false
        }
    }

    /// Waits until each picture on the screen is the right one.
    ///
    /// Looked for only where nothing is loading: a look takes as long as many frames.
    func rest() throws {
        try terminal.expect("every picture") { screen in
            guard !screen.lastLine.contains("loading") else { return false }
            let numbers = screen.text.matches(of: #/Nr1(\d{3})/#).compactMap { Int($0.1) }
            return numbers.count >= 6 && numbers.allSatisfy { Self.isRight($0, on: screen) }
        }
    }

    private static func isRight(_ number: Int, on screen: VirtualScreen) -> Bool {
        let caption = caption(number)
        switch number % 12 {
        case 0, 3, 6, 9: return screen.showsPicture(number, above: caption)
        case 5, 7: return screen.shows("✗", after: caption)
        default: return "↓■●".contains { screen.shows($0, after: caption) }
        }
    }
}

/// The resources that a process uses.
private struct ProcessUsage: CustomStringConvertible {
    let memoryByteCount: Int
    let threadCount: Int
    let fileCount: Int

    var description: String {
        "\(memoryByteCount >> 20) MiB, \(threadCount) threads, \(fileCount) files"
    }

    init?(of process: pid_t) {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
            let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")
        else { return nil }
        func figure(_ name: String) -> Int? {
            text.split(separator: "\n").first { $0.hasPrefix("\(name):") }?
                .split { !$0.isNumber }.first.flatMap { Int($0) }
        }
        guard let kibibytes = figure("VmRSS"), let threads = figure("Threads") else { return nil }
        memoryByteCount = kibibytes << 10
        threadCount = threads
        fileCount = files.count
    }
}
