import FeedHarness
import Foundation
import Glibc
import ImageLoading
import ImageLoadingTesting
@testable import Feeds
import SystemSupport
import Testing

@Suite struct FileBytesTests {
    /// Returns what a reader of a pipe receives if the writer writes `pieces` one by one.
    private func readings(_ pieces: [[UInt8]], next count: Int) async throws -> ([UInt8], [UInt8]) {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        let (readEnd, writeEnd) = (ends[0], ends[1])
        defer { close(readEnd) }
        async let written: Void = blocking {
            for piece in pieces { write(writeEnd, piece, piece.count) }
            close(writeEnd)
        }
        let result = await blocking {
            Result { () throws(FeedError) in
                var file = FileBytes(descriptor: readEnd, name: "pipe")
                return (try file.next(count), try file.rest())
            }
        }
        await written
        return try result.get()
    }

    @Test func `short reads are put together`() async throws {
        let (start, rest) = try await readings([[1], [2, 3], [4, 5, 6]], next: 4)

        #expect(start == [1, 2, 3, 4])
        #expect(rest == [5, 6])
    }

    @Test func `fewer bytes than asked for are the end`() async throws {
        let (start, rest) = try await readings([[1, 2]], next: 64)

        #expect(start == [1, 2])
        #expect(rest.isEmpty)
    }

    @Test func `more than fits into a pipe arrives whole`() async throws {
        let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 / 3) }

        let (start, rest) = try await readings([bytes], next: 64)

        #expect(start + rest == bytes)
    }

    @Test(arguments: [0, 3, 6, 7, 5000])
    func `a file is read whole, whatever its announced size`(said: Int) async throws {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        let readEnd = ends[0]
        write(ends[1], [UInt8](4...7), 4)
        close(ends[1])
        defer { close(readEnd) }
        var file = FileBytes(descriptor: readEnd, name: "file")

        #expect(try file.rest(after: [1, 2, 3], byteCount: said) == [1, 2, 3, 4, 5, 6, 7])
        var broken = FileBytes(descriptor: -1, name: "nothing")
        #expect(throws: FeedError.self) { try broken.rest(after: [], byteCount: 4) }
    }

    @Test func `an unreadable file is named with the reason`() {
        var file = FileBytes(descriptor: -1, name: "nothing")

        let error = #expect(throws: FeedError.self) { try file.rest() }

        #expect(error?.description.hasPrefix("nothing: Bad file descriptor") == true)
    }

    /// A sparse file: it takes no room on the disk.
    @Test func `more than the limit is refused`() {
        let folder = TestFolder()
        let path = folder.add("large")
        truncate(path, FileBytes.maximumByteCount + 1)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var file = FileBytes(descriptor: descriptor, name: "large")

        let error = #expect(throws: FeedError.self) { try file.rest() }

        #expect(error?.description.hasPrefix("large: is larger than 256 MiB") == true)
    }
}

@Suite struct NaturalOrderTests {
    @Test(arguments: [
        ["picture 9.jpg", "picture 10.jpg", "picture 100.jpg"],
        ["A.jpg", "b.jpg", "C.jpg"],
        ["1.jpg", "01.jpg", "001.jpg", "2.jpg"],
        ["a", "a1", "a1b", "a2"],
        ["x0.jpg", "x00.jpg", "x1.jpg"],
        [
            "99999999999999999999999998", "99999999999999999999999999",
            "100000000000000000000000000",
        ],
        ["B.jpg", "b.jpg"],
        ["", "a"],
        ["1", "a"],
    ])
    func `names are sorted in this order`(names: [String]) {
        for left in names.indices {
            for right in names.indices where left < right {
                let pair = [names[left], names[right]]
                #expect(NaturalOrder.sorted(pair) == pair)
                #expect(NaturalOrder.sorted(pair.reversed()) == pair)
            }
        }
    }

    @Test(arguments: 0..<20)
    func `any names have one order`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let names = (0..<40).map { _ in
            String((0..<4).compactMap { _ in "aB01 9._é".randomElement(using: &generator) })
        }

        let sorted = NaturalOrder.sorted(names)

        #expect(sorted == NaturalOrder.sorted(names.shuffled(using: &generator)), "seed \(seed)")
    }
}
