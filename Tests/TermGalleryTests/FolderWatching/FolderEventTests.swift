import Testing

@testable import Feeds
@testable import TermGallery

@Suite struct FolderEventTests {
    private func event(_ watch: Int32, _ mask: UInt32, _ cookie: UInt32, _ name: [UInt8]) -> [UInt8]
    {
        func bytes(_ number: UInt32) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        let padded = name.isEmpty ? [] : name + [UInt8](repeating: 0, count: 16 - name.count % 16)
        return bytes(UInt32(bitPattern: watch)) + bytes(mask) + bytes(cookie)
            + bytes(UInt32(padded.count)) + padded
    }

    @Test func `events are parsed with their names of any bytes`() {
        let bytes =
            event(1, 0x8, 0, Array("a.png".utf8)) + event(2, 0x4000_0100, 0, [0xFF, 0x0A])
            + event(-1, 0x4000, 0, []) + event(3, 0x80, 77, Array("b".utf8))

        let events = FolderEvent.parse(bytes)

        #expect(events.map(\.watch) == [1, 2, -1, 3])
        #expect(
            events.map(\.kind) == [.written, [.created, .isFolder], .overflow, .movedTo]
        )
        #expect(events.map(\.cookie) == [0, 0, 0, 77])
        #expect(events[0].name == "a.png")
        #expect(events[1].name.unicodeScalars.count == 2)
        #expect(events[2].name.isEmpty)
    }

    @Test func `truncated bytes end the list`() {
        let bytes = event(1, 0x8, 0, Array("a.png".utf8)) + event(2, 0x8, 0, Array("b.png".utf8))

        for count in 0..<bytes.count {
            #expect(FolderEvent.parse(Array(bytes.prefix(count))).count == (count < 32 ? 0 : 1))
        }
    }
}
