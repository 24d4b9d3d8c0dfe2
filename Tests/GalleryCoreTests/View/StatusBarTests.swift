import ImageLoading
import Testing

@testable import GalleryCore

@Suite struct StatusBarTests {
    private var busy: LoadingStatistics {
        var all = LoadingStatistics()
        all.started = 900
        all.succeeded = 700
        all.failed = 12
        all.cancelled = 182
        all.liveTransfers = 6
        all.queuedTransfers = 42
        all.bytesSaved = 100_000_000
        all.bytesNotNeeded = 43_000_000
        all.memoryCache.entryCount = 512
        all.memoryCache.byteCount = 24_600_000
        all.memoryCache.byteLimit = 256 << 20
        all.memoryCache.hits = 82
        all.memoryCache.misses = 18
        all.diskCache.entryCount = 1204
        all.diskCache.byteCount = 88_000_000
        all.diskCache.byteLimit = 512 << 20
        return all
    }

    @Test(
        arguments: [
            (
                160,
                " 1/100000  live 6  queued 42  failed 12  memory 512 images 25 MB 82% hits"
                    + "  disk 1204 files 88 MB  cancelled 182 saved 143 MB"
            ),
            (80, " 1/100000  ↓6 …42 ✗12  mem 512/25 MB 82%  disk 1204/88 MB  cut 182/143 MB"),
            (60, " 1/100000  ↓6 …42 ✗12  mem 512/25 MB 82%  d1204  -182"),
            (40, " 1/100000  ↓6 …42 ✗12  m512 82%  d1204"),
            (20, " 1/100000"),
        ]
    )
    func `the bar drops the least important first`(columns: Int, line: String) {
        let segments = StatusSegments(
            position: 1,
            total: 100_000,
            statistics: busy,
            symbols: .halfBlocks
        )

        let shown = segments.fitted(to: columns - 2).joined(separator: "  ")

        #expect(" " + shown == line)
        #expect(shown.count <= columns - 2)
    }

    @Test func `what failed before it was to be seen is no failure yet`() {
        var statistics = busy
        statistics.failedInBackground = 10
        let segments = StatusSegments(
            position: 1,
            total: 9,
            statistics: statistics,
            symbols: .halfBlocks
        )

        #expect(segments.fitted(to: 200)[1].hasSuffix("failed 2"))
        #expect(
            StatisticsRows(statistics: statistics, prefetch: PrefetchStatistics())
                .fitting(100).contains(.value("failed while not shown", "10"))
        )
    }

    @Test func `the statistics panel adds up and stays on while one scrolls`() {
        var gallery = Gallery()
        gallery.send(.statistics(busy))
        gallery.press("s")
        gallery.press(.pageDown)

        let lines = gallery.lines

        #expect(lines[0].hasSuffix("Statistics"))
        #expect(lines[2].hasSuffix("= done+failed+cancelled+running 700+12+182+6"))
        #expect(
            lines.contains { $0.contains("disk: 1204 files") && $0.hasSuffix("88 MB of 537 MB") }
        )
        gallery.press("s")
        #expect(!gallery.lines.contains { $0.contains("Statistics") })
    }

    @Test func `the panel tells what happens rarely once it has happened`() {
        var gallery = Gallery(columns: 80, rows: 40)
        gallery.press("s")
        let names = [
            "hosts left alone", "tried again", "resumed, bytes kept", "not modified",
            "shown though stale", "decodes saved", "damaged files deleted", "memory pressure",
            "waits for another process", "finished without a cell", "stopped early",
        ]
        let before = gallery.lines

        var all = busy
        (all.unavailableHosts, all.retries, all.notModified, all.staleAnswers) = (1, 2, 3, 4)
        (all.transfersResumed, all.bytesResumed) = (5, 6_700_000)
        all.transfersStoppedEarly = 12
        (all.decodesSaved, all.damagedFiles, all.leaseWaits, all.transfersDetached) = (8, 9, 10, 11)
        all.memoryStage = .trimmed
        gallery.send(.statistics(all))
        let after = gallery.lines

        for name in names {
            #expect(!before.contains { $0.contains(name) }, "\(name)")
            #expect(after.contains { $0.contains(name) }, "\(name)")
        }
        let ends = [
            ("resumed, bytes kept", " 5, 6.7 MB"), ("memory pressure", " cache halved"),
            ("stopped early, not needed", " 12, 43 MB"),
        ]
        for (name, value) in ends {
            #expect(after.contains { $0.contains(name) && $0.hasSuffix(value) }, "\(name)")
        }
    }

    @Test func `that a server is left alone is told once`() {
        var gallery = Gallery()
        var all = busy
        all.unavailableHosts = 1

        gallery.send(.statistics(all))
        #expect(gallery.lines.last?.contains("a server keeps failing") == true)

        gallery.press(.right, .right)
        gallery.send(.statistics(all))
        #expect(gallery.lines.last?.contains("a server keeps failing") == false)
    }

    @Test func `where the screen is small the bars make room for figures`() {
        for rows in [12, 24] {
            var gallery = Gallery(columns: 40, rows: rows)
            gallery.send(.statistics(busy))
            gallery.press("s")

            let bars = gallery.lines.count { $0.contains("░░░░") }

            #expect(bars == (rows == 12 ? 0 : 2))
            #expect(gallery.lines.contains { $0.contains("disk: 1204 files") })
            #expect(gallery.lines.contains { $0.contains("joined another") } == (rows > 12))
        }
    }

    @Test func `help shows every binding, by scrolling where the screen is small`() {
        for (columns, rows) in [(200, 60), (80, 24), (40, 12), (20, 5)] {
            var gallery = Gallery(columns: columns, rows: rows)
            gallery.press("?")
            var seen = gallery.lines
            for _ in 0..<60 {
                gallery.press("j")
                seen += gallery.lines
            }

            for binding in KeyTable.sections.flatMap(\.bindings) {
                guard let help = binding.help else { continue }
                let start = help.prefix(columns >= 40 ? 8 : 2)
                #expect(seen.contains { $0.contains(start) }, "\(help) at \(columns)x\(rows)")
            }
            #expect(seen.contains { $0.contains("●") && $0.contains("came") })
            #expect(gallery.press(.escape).isEmpty)
            #expect(gallery.state.overlay == nil)
        }
    }

    @Test func `a notice stands in the bar until two keys later`() {
        var gallery = Gallery()

        gallery.send(.notice("memory cache cleared: 12 images, 1.2 MB freed"))
        #expect(gallery.lines.last == " memory cache cleared: 12 images, 1.2 MB freed")

        gallery.press(.right)
        #expect(gallery.lines.last == " memory cache cleared: 12 images, 1.2 MB freed")
        gallery.press(.right)
        #expect(gallery.lines.last?.hasPrefix(" 3/100") == true)
    }

    @Test(
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1234, "1.2 kB"), (9949, "9.9 kB"),
            (9950, "10 kB"), (999_499, "999 kB"), (999_600, "1.0 MB"), (268_435_456, "268 MB"),
            (Int.max, "9.2 EB"), (-1500, "-1.5 kB"),
        ]
    )
    func `bytes read like a person would say them`(count: Int, text: String) {
        #expect(CountText.bytes(count) == text)
    }
}
