import FeedHarness
import Glibc
import ImageLoadingTesting
import PropertyRuns
import Testing

@testable import Feeds

/// The files with the seen images.
@Suite struct ReadingRecordTests {
    private let folder = TestFolder()

    private func record(_ keys: some Sequence<UInt64>) -> ReadingRecord {
        var record = ReadingRecord()
        for key in keys { record.add(key) }
        return record
    }

    @Test func `a written record is read again`() {
        var record = record([1, .max, 0xABC])
        record.settle([1, 5, 6], beside: ReadingRecord())
        record.date = 1_700_000_000

        let again = ReadingRecord(record.bytes)

        #expect(again == record)
        #expect((again.itemCount, again.unreadCount) == (3, 2))
        #expect(again.isRead(.max) && !again.isRead(5))
    }

    @Test func `another gallery's entries are kept, and entries of the feed are dropped last`() {
        var mine = record(1...10)
        mine.settle([3, 4], beside: record([20]))

        #expect(mine.keys == [1, 2, 5, 6, 7, 8, 9, 10, 20, 3, 4])
        let many = record(0..<30_000)
        #expect(ReadingRecord(many.bytes).keys == Array(10_000..<30_000))
        #expect(many.bytes.count <= ReadingRecord.mostBytes)
    }

    @Test(arguments: [
        "termgallery-reading-1 x 2 3", "termgallery-reading-1 1 2", "termgallery-reading-1 -1 2 3",
        "5", "g000000000000000",
        "00000000000000010", "0000000000000001 2", "\0", "\u{FEFF}",
    ])
    func `lines that make no sense are left out`(line: String) {
        let record = ReadingRecord(Array("\(line)\n0000000000000007\n".utf8))

        #expect(record.keys == [7])
        #expect(record.date == nil)
    }

    @Test func `reading any file ends without a failure`() {
        var generator = SeededGenerator(seed: 1)
        var whole = record(0..<50)
        whole.date = 5
        for _ in 0..<PropertyRuns.count(200) {
            var bytes = whole.bytes
            for _ in 0..<Int.random(in: 1...20, using: &generator) {
                let place = Int.random(in: bytes.indices, using: &generator)
                bytes[place] = UInt8.random(in: 0...255, using: &generator)
            }
            bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
            #expect(ReadingRecord(bytes).keys.count <= 60)
        }
    }

    @Test func `files of forgotten feeds are deleted`() {
        let readings = ReadingFolder(path: "\(folder.path)/reading")
        for number in 0..<ReadingFolder.mostFiles + 5 {
            readings.write(record([UInt64(number)]), UInt64(number))
        }
        folder.add("reading/notes.txt", Array("x".utf8))

        let now = time(nil)
        readings.sweep(now: now)
        let all = UInt64(0)..<UInt64(ReadingFolder.mostFiles + 5)
        let left = all.count { !readings.read($0).keys.isEmpty }
        #expect(left == ReadingFolder.mostFiles)
        readings.sweep(now: now + ReadingFolder.longestTime + 100)

        #expect(all.allSatisfy { readings.read($0).keys.isEmpty })
        #expect(access("\(folder.path)/reading/notes.txt", F_OK) == 0)
    }

    @Test func `an unwritable folder behaves like a missing record`() {
        let readings = ReadingFolder(path: "/proc/nowhere")
        readings.write(record([1]), 1)
        readings.sweep(now: time(nil))

        #expect(readings.read(1) == ReadingRecord())
        #expect(ReadingFolder(path: nil).read(1) == ReadingRecord())
    }
}
