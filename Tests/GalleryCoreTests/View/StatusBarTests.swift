import Decoders
import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

@Suite struct StatusBarTests {
    /// A gallery that looks at picture 6 of 1000, while much goes on.
    private func busy(
        columns: Int,
        rows: Int = 24,
        item: LoadEvent = .image(.plain(4, 4), .network),
        name: String = "marigold-macro-0007.jpg",
        change: (inout LoadingStatistics) -> Void = { _ in }
    ) -> Gallery {
        var gallery = Gallery(count: 0, columns: columns, rows: rows, tileWidth: nil)
        let items = (0..<1000).map { number in
            FeedItem(url: "http://h/\(number)", caption: number == 5 ? name : "other")
        }
        gallery.send(.feed(.success(Feed(items: items, title: "busy"))))
        gallery.press("6g")
        if let slot = gallery.slot(ofItem: 5) { gallery.send(.slot(slot, item)) }
        var all = LoadingStatistics()
        (all.liveTransfers, all.queuedTransfers) = (2, 10)
        (all.bytesSaved, all.cancelled, all.bytesReceived) = (143_000_000, 812, 20_000_000)
        (all.memoryCache.entryCount, all.memoryCache.byteCount) = (36, 1_200_000)
        (all.memoryCache.hits, all.memoryCache.misses) = (82, 18)
        (all.diskCache.entryCount, all.diskCache.byteCount) = (412, 96_000_000)
        (all.diskCache.hits, all.diskCache.misses) = (9, 9)
        change(&all)
        gallery.send(.statistics(.loading(all)))
        return gallery
    }

    private func loaded(
        _ byteCount: Int = 412_000,
        damage: ImageDecodingError? = nil
    ) -> LoadEvent {
        let image = DecodedImage(
            pixels: .plain(4, 4),
            properties: ImageProperties(
                format: .jpeg,
                size: PixelSize(width: 1920, height: 1440),
                orientation: 1,
                hasAlpha: false,
                isProgressive: false
            ),
            damage: damage
        )
        return .finished(
            .success(
                ImageResponse(
                    image: image,
                    source: .network,
                    byteCount: byteCount,
                    httpStatus: 200
                )
            )
        )
    }

    @Test(arguments: [
        (
            200,
            " 6/1000     marigold-macro-0007.jpg                       1920×1440  JPEG  412 kB"
                + "   2 loading, 10 waiting    not downloaded 143 MB"
                + "   memory 36 images, 82% hits   disk 412 images, 50% hits"
        ),
        (
            120,
            " 6/1000     marigold-macro-0007.jpg          1920×1440  JPEG  412 kB   2 loading "
                + "   saved 143 MB   91% cached"
        ),
        (80, " 6/1000     marigold-m…-0007.jpg  1920×1440   2 loading    saved 143 MB"),
        (60, " 6/1000     marigold-macro-0007.jpg       1920×1440"),
        (40, " 6/1000     marigold-…-0007.jpg"),
        (20, " 6/1000"),
    ])
    func `the bar shows the facts that fit, the image first`(columns: Int, line: String) {
        let shown = busy(columns: columns, item: loaded()).lines.last ?? ""

        let padding = String(repeating: " ", count: max(0, columns - 7 - line.count))
        #expect(shown == line + padding + "? help")
    }

    @Test func `a load without a byte is loading, and a count of images has its noun`() {
        var gallery = Gallery(count: 0, columns: 60)
        gallery.send(.feed(.success(Feed(items: [FeedItem(url: "http://h/a.jpg")], title: "t"))))
        let slot = gallery.slot(ofItem: 0) ?? 0
        gallery.send(.slot(slot, .progress(LoadProgress(received: 0, expected: nil))))
        #expect(gallery.lines.last?.contains("loading") == true)
        #expect(gallery.lines.last?.contains("0 B") == false)

        var all = LoadingStatistics()
        (all.memoryCache.entryCount, all.memoryCache.byteCount) = (9, 1_200_000)
        for columns in 40...120 {
            gallery.send(
                .resize(ScreenSize(columns: columns, rows: 24)),
                .statistics(.loading(all))
            )
            #expect(gallery.lines.last?.contains("memory 9  ") == false, "\(columns)")
        }
    }

    @Test func `a failed image shows the reason and the remedy`() {
        let gallery = busy(
            columns: 120,
            item: .failed(.notFound),
            name: "harbour-panorama-2019.png"
        )

        let line = gallery.lines.last ?? ""
        #expect(line.hasPrefix(" 6/1000     not found (404)  r tries again  harbour-"))
        #expect(line.contains(" 1 failed "))
    }

    @Test(arguments: [
        (ImageDecodingError.truncated(.jpeg), 200, "incomplete: the file is truncated"),
        (.corrupt(.jpeg, "bad Huffman code"), 200, "damaged: bad Huffman code"),
        (.truncated(.jpeg), 80, "incomplete"),
        (.corrupt(.jpeg, "bad Huffman code"), 60, "damaged"),
    ])
    func `damage of a shown image is reported`(
        damage: ImageDecodingError,
        columns: Int,
        words: String
    ) {
        let gallery = busy(columns: columns, item: loaded(damage: damage), name: "rose.jpg")

        let line = gallery.lines.last ?? ""
        #expect(line.contains("6/1000     \(words)") && line.contains("  rose.jpg"), "\(line)")
        #expect(gallery.lines.contains { $0.contains("rose.jpg") && $0.contains("◐") })
    }

    @Test func `a loading image shows the received share`() {
        let progress = LoadProgress(received: 1_890_000, expected: 4_200_000)

        let gallery = busy(columns: 120, item: .progress(progress))

        #expect(gallery.lines.last?.contains("45% of 4.2 MB  ") == true)
    }

    @Test func `zeros are not written`() {
        var gallery = busy(columns: 200, item: loaded()) { $0 = LoadingStatistics() }
        #expect(
            gallery.lines.last?.split(separator: #/ {2,}/#).joined(separator: "|")
                == " 6/1000|marigold-macro-0007.jpg|1920×1440|JPEG|412 kB|? help"
        )

        // A cache without requests has no hit rate.
        gallery = busy(columns: 200) { $0.memoryCache.hits = 0 }
        #expect(gallery.lines.last?.contains("memory 36 images") == true)
    }

    @Test func `a failure is counted once, however often the image is requested`() {
        var gallery = Gallery(columns: 80)
        for size in [80, 100, 80, 100, 80] {
            gallery.send(.resize(ScreenSize(columns: size, rows: 24)))
            guard let slot = gallery.slot(ofItem: 1) else { continue }
            gallery.send(.slot(slot, .failed(.notFound)))
        }
        #expect(gallery.lines.last?.contains("1 failed") == true)

        gallery.press(.pageDown)
        #expect(gallery.lines.last?.contains("1 failed") == true)

        gallery.press(.pageUp)
        gallery.send(.slot(gallery.slot(ofItem: 1) ?? 0, .image(.plain(2, 2), .network)))
        #expect(gallery.lines.last?.contains("failed") == false)
    }

    @Test func `a cancelled image does not count as failed`() {
        var gallery = Gallery(count: 4)

        gallery.press("X")
        for _ in 0..<40 { gallery.send(.tick) }

        #expect(gallery.lines.last?.contains("cancelled  r loads it") == true)
        #expect(gallery.lines.last?.contains("failed") == false)
    }

    @Test func `a notice ends after four seconds, or with the next one, and keys leave it`() {
        var gallery = Gallery()

        gallery.send(.notice("memory cache emptied: 12 images, 1.2 MB"))
        gallery.press(.right, .right, .right)
        #expect(gallery.lines.last?.hasPrefix(" 4/100  memory cache emptied: 12 image") == true)
        #expect(gallery.state.needsTicks)

        for _ in 0..<39 { gallery.send(.tick) }
        #expect(gallery.lines.last?.contains("emptied") == true)
        gallery.send(.tick)
        #expect(gallery.lines.last?.hasPrefix(" 4/100    Picture 3") == true)
        #expect(!gallery.state.needsTicks)

        gallery.send(.notice("the disk is full", .warning), .notice("broken", .failure))
        #expect(gallery.lines.last?.hasPrefix(" 4/100  ✗ broken  ") == true)
        gallery.send(.notice("the disk is full", .warning))
        #expect(gallery.lines.last?.hasPrefix(" 4/100  ! the disk is full  ") == true)
    }

    @Test func `a pause for a server is reported once`() {
        var gallery = busy(columns: 120) { $0.unavailableHosts = 1 }
        #expect(gallery.lines.last?.contains("! a server keeps failing") == true)

        for _ in 0..<40 { gallery.send(.tick) }
        gallery.send(.statistics(.loading(gallery.state.statistics.loading)))
        #expect(gallery.lines.last?.contains("a server keeps failing") == false)
    }

    @Test(
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1234, "1.2 kB"), (9949, "9.9 kB"),
            (9950, "10 kB"), (999_499, "999 kB"), (999_600, "1.0 MB"), (268_435_456, "268 MB"),
            (Int.max, "9.2 EB"), (-1500, "-1.5 kB"),
        ]
    )
    func `byte counts are rounded for reading`(count: Int, text: String) {
        #expect(CountText.bytes(count) == text)
    }

    /// The columns of the parts about loads and caches.
    private func slotColumns(_ gallery: Gallery) -> [Int] {
        StatusLine(gallery.state).parts.filter { part in
            [.action(.toggleLanes), .action(.nextStatistics)].contains(part.target)
        }
        .map(\.column)
    }

    @Test(arguments: [60, 80, 100, 120, 160, 200])
    func `loads and caches keep their places while the user scrolls`(columns: Int) {
        var places: Set<[Int]> = []
        for (live, queued, hits, kilobytes) in [
            (0, 0, 9, 2), (6, 0, 82, 900), (6, 12, 77, 12_000), (1, 240, 5, 143_000),
        ] {
            let loads: [LoadEvent] = [
                loaded(), loaded(900), .progress(LoadProgress(received: 9, expected: 90)), .queued,
            ]
            for (index, load) in loads.enumerated() {
                let name = String(repeating: "n", count: 3 + 20 * index) + ".jpg"
                let gallery = busy(columns: columns, item: load, name: name) { all in
                    all.transfersStarted = 1
                    (all.liveTransfers, all.queuedTransfers) = (live, queued)
                    (all.memoryCache.hits, all.memoryCache.misses) = (hits, 100 - hits)
                    all.bytesSaved = kilobytes * 1000
                }
                places.insert(slotColumns(gallery))
            }
        }
        // The number of columns of an empty text is the same.
        #expect(places.count == 1, "\(places)")
        #expect((places.first?.isEmpty == true) == (columns == 60))
    }

    @Test func `the reason of a failure has priority on a narrow screen, and precedes the name`() {
        for columns in [40, 60, 80] {
            let gallery = busy(columns: columns, item: .failed(.notFound), name: "harbour-2019.png")
            #expect(gallery.lines.last?.contains("6/1000     not found (404)") == true)
        }
    }

    @Test func `in the demo the bytes not downloaded are shown at 80 columns without lanes`() {
        var gallery = busy(columns: 80, item: loaded())
        gallery.state.settings.lanes.byteCounts = ItemByteCounts(mean: 100_000)
        #expect(gallery.lines.last?.contains("not downloaded 143 MB") == true)
    }

    @Test(arguments: [20, 24, 40])
    func `a long message is shown in pieces without cut words`(columns: Int) {
        let message =
            "the memory cache was cleared: 36 images and 1.2 MB are gone for good, and 12 remain"
        var gallery = Gallery(columns: columns, rows: columns == 40 ? 12 : 5)
        gallery.send(.notice(message))
        var words: [Substring] = []
        var last = ""
        while gallery.state.notice != nil {
            let line = gallery.lines.last ?? ""
            #expect(line.count < columns)
            if line != last { words += line.split(separator: " ") }
            last = line
            gallery.send(.tick)
        }
        #expect(words == message.split(separator: " "))
    }

    @Test func `a message that does not fit beside the modes takes the entire row`() {
        var gallery = busy(columns: 80)
        gallery.press("zZ")
        while gallery.state.notice != nil { gallery.send(.tick) }
        #expect(gallery.lines.last?.contains("paused  no cancellation") == true)
        let message = "pasted text is no command; a path or a URL can be opened"

        gallery.send(.notice(message))

        #expect(gallery.lines.last == " " + message)
    }
}
