import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

/// The help and the statistics.
@Suite struct PagesTests {
    private var busy: LoadingStatistics {
        var all = LoadingStatistics()
        (all.started, all.transfersStarted, all.bytesReceived) = (900, 300, 18_400_000)
        (all.memoryCache.entryCount, all.memoryCache.byteCount) = (36, 1_200_000)
        (all.memoryCache.byteLimit, all.memoryCache.hits) = (256 << 20, 4)
        (all.diskCache.entryCount, all.diskCache.byteCount) = (1204, 88_000_000)
        (all.diskCache.byteLimit, all.diskCache.misses) = (512 << 20, 9)
        (all.cancelled, all.bytesSaved) = (812, 143_000_000)
        return all
    }

    private func statistics(columns: Int, rows: Int) -> Gallery {
        var gallery = Gallery(columns: columns, rows: rows, tileWidth: nil)
        gallery.send(.statistics(.loading(busy)))
        gallery.press("s")
        return gallery
    }

    // Nothing is drawn over a picture: the grid goes on in the columns of tiles that are left.
    @Test func `the statistics are shown next to the images, which keep their size`() {
        var gallery = Gallery(columns: 120, rows: 40, tileWidth: nil)
        gallery.send(.statistics(.loading(busy)))
        let box = gallery.state.grid.layout.imageBox

        gallery.press("s")

        #expect(gallery.state.grid.layout.imageBox == box)
        #expect(gallery.state.grid.layout.columns == 2)
        #expect(gallery.state.panels.column == 62)
        let lines = gallery.lines
        #expect(lines[1].hasSuffix("s closes"))
        #expect(lines.contains { $0.contains("Disk cache") && $0.hasSuffix("0% hits") })
        #expect(lines.contains { $0.contains(#/bytes +88 MB   of 537 MB/#) })
        gallery.press(.pageDown)
        #expect(gallery.lines.contains { $0.contains("Statistics") })
        gallery.press("s")
        #expect(!gallery.lines.contains { $0.contains("Statistics") })
        #expect(gallery.state.grid.layout.columns == 4)
    }

    @Test func `they show the delay of the screen and the images of the terminal`() {
        var all = busy
        for _ in 0..<99 { all.decodeTimes.record(.milliseconds(3)) }
        all.decodeTimes.record(.milliseconds(30))
        var screen = ScreenStatistics()
        screen.keyTimes.record(.microseconds(900))
        screen.firstPicture = .milliseconds(41)
        (screen.pictures.count, screen.pictures.bytesSent) = (38, 1_900_000)
        var gallery = Gallery(columns: 120, rows: 60, tileWidth: nil)
        gallery.send(.statistics(.loading(all)), .statistics(.screen(screen)))

        gallery.press("s")

        let lines = gallery.lines
        #expect(lines.contains { $0.contains(#/Speed +slowest 1% at the right/#) })
        #expect(lines.contains { $0.contains(#/key to screen +\S+ ms   \S+ ms/#) })
        #expect(lines.contains { $0.contains(#/first image +41 ms   after the start/#) })
        #expect(lines.contains { $0.contains(#/it holds +38   1.9 MB sent/#) })
    }

    @Test func `rows that do not fit on the panel are shown by the same key`() {
        var gallery = statistics(columns: 120, rows: 24)
        #expect(gallery.lines[1].hasSuffix("s shows more"))
        var seen: Set<String> = []

        for _ in 0..<5 {
            for title in ["Images", "Memory cache", "Disk cache", "Network", "Terminal"]
            where gallery.lines.contains(where: { $0.contains(title) }) {
                seen.insert(title)
            }
            gallery.press("s")
            if gallery.state.panels.statistics == nil { break }
        }

        #expect(seen.count == 5)
        #expect(gallery.state.panels.statistics == nil)
    }

    @Test(arguments: [(80, 24), (40, 12), (20, 5)])
    func `in a small window they are a page that scrolls`(columns: Int, rows: Int) {
        var gallery = statistics(columns: columns, rows: rows)
        #expect(gallery.state.isStatisticsPage == (columns < 80))
        guard gallery.state.isStatisticsPage else { return }
        var seen: Set<String> = []

        for _ in 0..<60 {
            seen.formUnion(gallery.lines.dropLast())
            gallery.press("j")
        }
        #expect(seen.contains { $0.contains("Images") })
        #expect(seen.contains { $0.contains("Terminal") })
        #expect(gallery.state.grid.selection == 0)
        gallery.press("g")
        #expect(gallery.state.panels.statistics?.position.line == 0)
        #expect(gallery.press(.escape).isEmpty)
        #expect(gallery.state.panels.statistics == nil)
    }

    // The line of the page beside an open image was taken for the index of a group in the grid.
    @Test(arguments: [
        (71, 18, "\rss\u{1B}"), (71, 18, "s\rs\u{1B}"), (71, 18, "\rsj\u{1B}"),
        (71, 18, "\rss\r"), (100, 12, "\rsG\r"),
        (148, 25, "\rssssG\u{1B}"), (148, 25, "s\rsG\u{1B}s"),
    ])
    func `panel and page have their own positions`(columns: Int, rows: Int, keys: String) {
        var gallery = Gallery(columns: columns, rows: rows, tileWidth: nil)
        gallery.send(.statistics(.loading(busy)))

        for key in keys {
            switch key {
            case "\r": gallery.press(.enter)
            case "\u{1B}": gallery.press(.escape)
            default: gallery.press(String(key))
            }
            #expect(gallery.lines.count == rows)
        }
    }

    @Test func `rare events are listed once they have occurred`() {
        var gallery = Gallery(columns: 200, rows: 60, tileWidth: nil)
        gallery.send(.statistics(.loading(busy)))
        gallery.press("s")
        let names = [
            "servers paused", "retried", "downloads continued", "unchanged on the server",
            "stale images shown", "decodes not needed", "damaged", "memory is short",
            "waited for another program", "finished in the background", "stopped: sharp enough",
        ]
        let before = gallery.lines

        var all = busy
        (all.unavailableHosts, all.retries, all.notModified, all.staleAnswers) = (1, 2, 3, 4)
        (all.transfersResumed, all.bytesResumed) = (5, 6_700_000)
        (all.transfersStoppedEarly, all.bytesNotNeeded) = (12, 43_000_000)
        (all.decodesSaved, all.damagedFiles, all.leaseWaits, all.transfersDetached) = (8, 9, 10, 11)
        all.memoryStage = .trimmed
        gallery.send(.statistics(.loading(all)))
        let after = gallery.lines

        for name in names {
            #expect(!before.contains { $0.contains(name) }, "\(name)")
            #expect(after.contains { $0.contains(name) }, "\(name)")
        }
        #expect(after.contains { $0.contains(#/downloads continued +5   6.7 MB/#) })
        #expect(after.contains { $0.contains("memory is short") && $0.hasSuffix("cache halved") })
        #expect(after.contains { $0.contains("Not downloaded") && $0.hasSuffix("193 MB saved") })
    }

    @Test func `the curve of the network runs while visible, and stops when it is flat`() {
        var gallery = statistics(columns: 120, rows: 40)
        for _ in 0..<40 { gallery.send(.tick) }
        var all = busy
        all.bytesReceived += 2_400_000
        gallery.send(.statistics(.loading(all)))
        for _ in 0..<48 { gallery.send(.tick) }

        #expect(gallery.lines.contains { $0.contains("█") && $0.contains("now ") })
        #expect(gallery.state.needsTicks)
        for _ in 0..<24 * 22 { gallery.send(.tick) }
        #expect(!gallery.state.needsTicks)
    }

    @Test func `help shows every word of every binding, and scrolls on a small screen`() {
        let sizes = [(200, 60), (120, 40), (80, 24), (76, 20), (40, 12), (24, 8), (20, 5)]
        for (columns, rows) in sizes {
            var gallery = Gallery(columns: columns, rows: rows)
            gallery.press("?")
            let content = HelpContent(on: gallery.state.screen)
            #expect(content.columns.count == (columns >= 76 ? 2 : 1))
            if columns >= 120 { #expect(content.lastScroll == 0) }
            var words: Set<Substring> = []
            for _ in 0...content.lastScroll {
                for line in gallery.lines.dropLast() {
                    words.formUnion(line.split(separator: " "))
                }
                gallery.press("j")
            }

            for binding in KeyTable.groups.flatMap(\.bindings) {
                guard let help = binding.help else { continue }
                for word in "\(binding.label) \(help)".split(separator: " ") {
                    #expect(words.contains(word), "\(word) of \(help) at \(columns)x\(rows)")
                }
            }
            #expect(words.contains("●"))
            #expect(gallery.lines.last?.hasSuffix("Esc back") == true)
            #expect(gallery.press(.escape).isEmpty)
            #expect(gallery.state.prompt.overlay == nil)
        }
    }

    @Test func `the help that is scrolled to its end fills a window that becomes larger`() {
        var gallery = Gallery(columns: 40, rows: 12)
        gallery.press("?G")
        gallery.send(.resize(ScreenSize(columns: 80, rows: 24)))

        let content = HelpContent(on: gallery.state.screen)
        let help = HelpState(scroll: content.lastScroll)
        #expect(gallery.state.prompt.overlay == .help(help))
    }

    @Test func `a filter inside the help shows the matching keys`() {
        var gallery = Gallery(columns: 80, rows: 24)
        gallery.press("?/CACHE")
        let lines = gallery.lines
        #expect(lines.contains { $0.contains("clear the memory cache") })
        #expect(!lines.contains { $0.contains("half a screen") })
        #expect(lines[23].hasPrefix(" /CACHE") && lines[23].contains("Esc shows all"))
        gallery.press(.enter)
        #expect(gallery.lines[23].contains("/CACHE"))
        gallery.press(.escape)
        #expect(gallery.lines.contains { $0.contains("half a screen") })
        gallery.press("/zzzz")
        gallery.press(.control("h"))
        #expect(gallery.lines[23].contains("/zzz") && !gallery.lines[23].contains("/zzzz"))
        #expect(gallery.lines.contains { $0.contains("Nothing matches.") })
        gallery.press(.escape)
        gallery.press("x")
        #expect(gallery.state.prompt.overlay == nil)
    }
}
