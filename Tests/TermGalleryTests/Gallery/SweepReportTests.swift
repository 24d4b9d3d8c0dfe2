import Glibc
import ImageLoading
import Testing

@testable import TermGallery

@Suite struct SweepReportTests {
    private func cache(_ images: Int, thumbnails: Int = 0, bytes: Int = 0) -> CacheStatistics {
        var cache = CacheStatistics()
        (cache.entryCount, cache.thumbnailCount) = (images + thumbnails, thumbnails)
        cache.byteCount = bytes
        return cache
    }

    @Test func `the message shows the contents of a cache before and after`() {
        let all = SweepReport(freed: cache(36, bytes: 1_200_000), left: cache(0))
        #expect(all.text(of: "memory cache") == "memory cache: 36 images, 1.2 MB → empty")
        let some = SweepReport(
            freed: cache(1, thumbnails: 3, bytes: 2_000),
            left: cache(1_200, thumbnails: 1, bytes: 7_000)
        )
        #expect(
            some.text(of: "disk cache")
                == "disk cache: 1,201 images, 4 thumbnails, 9.0 kB → 1,200 images, 1 thumbnail, 7.0 kB"
        )
    }

    @Test func `a sweep without anything to do says so`() {
        let nothing = SweepReport(freed: cache(0), left: cache(3, bytes: 5_000))
        #expect(
            nothing.text(of: "disk cache") == "disk cache: nothing to remove from 3 images, 5.0 kB"
        )
        let empty = SweepReport(freed: cache(0), left: cache(0))
        #expect(empty.text(of: "disk cache") == "disk cache: already empty")
    }
}

@Suite struct LocalTimeTextTests {
    @Test(arguments: [
        (0, "just now"), (-59, "just now"), (-60, "1 minute ago"), (-7_300, "2 hours ago"),
        (-86_400 * 45, "1 month ago"), (-86_400 * 800, "2 years ago"), (7_300, "in 2 hours"),
        (Int.min, "292471208677 years ago"),
    ])
    func `a difference is given in its largest unit`(seconds: Int, text: String) {
        #expect(LocalTimeText.relative(seconds) == text)
    }

    @Test func `a time is written in the time zone of this machine`() {
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (124, 4, 1)
        (parts.tm_hour, parts.tm_min, parts.tm_isdst) = (14, 5, -1)
        let seconds = Int(mktime(&parts))
        let text = LocalTimeText.text(ofTime: seconds, now: seconds + 3 * 86_400)
        #expect(text == "2024-05-01 14:05, 3 days ago")
        #expect(LocalTimeText.text(ofTime: .max) == "\(Int.max) s")
    }
}
