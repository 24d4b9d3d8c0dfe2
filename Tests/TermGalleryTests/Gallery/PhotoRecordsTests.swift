import GalleryCore
import Glibc
import Testing

@testable import Feeds
@testable import TermGallery

@Suite struct PhotoRecordsTests {
    @Test func `a camera's time is in this machine's time zone`() throws {
        var now = time(nil)
        var local = tm()
        localtime_r(&now, &local)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let date = "\(local.tm_year + 1900):\(two(local.tm_mon + 1)):\(two(local.tm_mday))"
        let clock = "\(two(local.tm_hour)):\(two(local.tm_min)):\(two(local.tm_sec))"
        #expect(PhotoRecords.nanoseconds("\(date) \(clock)") == Int(now) * 1_000_000_000)
    }

    @Test(arguments: ["", "0000:00:00 00:00:00", "2026:13:01 00:00:00", "    :  :     :  :  ", "x"])
    func `an invalid time has no date`(text: String) {
        #expect(PhotoRecords.nanoseconds(text) == nil)
    }

    @Test func `a changed file is read again, and unchanged ones are not opened`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let photos = PhotoRecords()
        #expect(photos.record(of: FeedItem(filePath: "\(folder.path)/none.jpg")) == nil)
        #expect(photos.record(of: FeedItem(filePath: "/dev/zero")) == nil)
        #expect(photos.record(of: FeedItem(url: "http://h/1.jpg")) == nil)

        // A directory of one entry, which leads to one with the date.
        func exif(_ date: String) -> [UInt8] {
            var bytes = Array("MM".utf8) + [0, 42, 0, 0, 0, 8]
            bytes += [0, 1, 0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0]
            bytes += [0, 1, 0x90, 0x03, 0, 2, 0, 0, 0, 20, 0, 0, 0, 44, 0, 0, 0, 0]
            return bytes + Array(date.utf8) + [0]
        }
        let path = "\(folder.path)/a.tif"
        func write(_ bytes: [UInt8]) throws {
            let stream = try #require(fopen(path, "wb"))
            _ = fwrite(bytes, 1, bytes.count, stream)
            fclose(stream)
        }
        try write(exif("2020:01:02 03:04:05"))
        let item = FeedItem(filePath: path)
        #expect(photos.record(of: item)?.taken == PhotoRecords.nanoseconds("2020:01:02 03:04:05"))
        try write(exif("2021:01:02 03:04:05") + [0])
        #expect(photos.record(of: item)?.taken == PhotoRecords.nanoseconds("2021:01:02 03:04:05"))
    }
}
