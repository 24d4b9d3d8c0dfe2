import GalleryCore
import Glibc
import Testing

@testable import TermGallery

@Suite struct FileBytesTests {
    /// What a reader of a pipe sees whose writer writes `pieces` one by one.
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

    @Test func `what can't be read is named with the reason`() {
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
