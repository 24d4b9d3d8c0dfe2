import Testing

@testable import TerminalUI

struct PictureTableTests {
    /// With equal numbers, two galleries in one tmux server showed each other's images.
    @Test func `the numbers of two programs differ`() {
        let firsts = (0..<32).map { _ in
            var table = PictureTable(byteLimit: 1 << 20)
            return table.add(1, byteCount: 1)
        }

        #expect(Set(firsts).count > 16)
        #expect(firsts.allSatisfy { (0x01_0000...0xFF_FFFF).contains($0) })
    }

    @Test func `after the last number of 24 bits the first one follows`() {
        var table = PictureTable(byteLimit: 1 << 20, firstID: 0xFF_FFFF)

        #expect(table.add(1, byteCount: 1) == 0xFF_FFFF)
        #expect(table.add(2, byteCount: 1) == 1)
    }

    @Test func `an image that was evicted no longer counts as half`() {
        var table = PictureTable(byteLimit: 10)
        _ = table.add(1, byteCount: 8, isHalf: true)
        #expect(table.isHalf(1))

        table.beginFrame()
        _ = table.add(2, byteCount: 8)

        #expect(table.evict().count == 1 && !table.isHalf(1))
    }
}
