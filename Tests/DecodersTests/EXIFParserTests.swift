@testable import Decoders
import Testing

@Suite struct EXIFParserTests {
    @Test(arguments: 1...8, [false, true])
    func `the orientation is read in both byte orders`(value: Int, isBigEndian: Bool) {
        for type in [1, 3, 4] {
            let block = EXIF.block(orientation: value, isBigEndian: isBigEndian, type: type)

            #expect(EXIFParser.orientation(in: block).rawValue == value)
        }
    }

    @Test(arguments: [0, 9, 255, 65535])
    func `an invalid orientation is read as upright`(value: Int) {
        #expect(EXIFParser.orientation(in: EXIF.block(orientation: value)) == .upright)
    }

    @Test func `a block cut at any byte is read as upright`() {
        let block = EXIF.block(orientation: 6)

        for count in 0..<20 {
            #expect(EXIFParser.orientation(in: Array(block.prefix(count))) == .upright)
        }
    }

    @Test func `a directory beyond the end is read as upright`() {
        var block = EXIF.block(orientation: 6)
        block.replaceSubrange(4..<8, with: [0xFF, 0xFF, 0xFF, 0xFF])

        #expect(EXIFParser.orientation(in: block) == .upright)
    }

    @Test func `reading a directory with more entries than bytes stops at the end`() {
        var block = EXIF.block(orientation: 6)
        block.replaceSubrange(8..<12, with: [0xFF, 0xFF, 0x01, 0x13])

        #expect(EXIFParser.orientation(in: block) == .upright)
    }

    @Test func `any EXIF block is read without a trap`() {
        for seed in UInt64(0)..<500 {
            var generator = SeededGenerator(seed: seed)
            var block = EXIF.block(orientation: 3, isBigEndian: seed.isMultiple(of: 2))
            for _ in 0..<4 {
                block[Int.random(in: 2..<block.count, using: &generator)] =
                    UInt8.random(in: 0...255, using: &generator)
            }

            #expect((1...8).contains(EXIFParser.orientation(in: block).rawValue), "seed \(seed)")
        }
    }
}

@Suite struct EXIFThumbnailTests {
    private static let thumbnail: [UInt8] = [0xFF, 0xD8, 1, 2, 3, 4, 0xFF, 0xD9]
    private static let block = EXIF.block(orientation: 1, thumbnail: thumbnail)

    private func find(_ offset: Int, _ bytes: [UInt8]) -> Range<Int>? {
        var block = Self.block
        block.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        return EXIFParser.thumbnail(in: block)
    }

    private func number(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    @Test func `the second directory gives the position of the thumbnail`() {
        let start = EXIF.Place.thumbnail

        #expect(EXIFParser.thumbnail(in: Self.block) == start..<start + Self.thumbnail.count)
        #expect(EXIFParser.orientation(in: Self.block) == .upright)
    }

    @Test func `a block with one directory has no thumbnail`() {
        #expect(EXIFParser.thumbnail(in: EXIF.block(orientation: 3)) == nil)
        #expect(EXIFParser.thumbnail(in: []) == nil)
    }

    @Test func `a block cut at any byte has no thumbnail`() {
        for count in 0..<Self.block.count {
            #expect(EXIFParser.thumbnail(in: Array(Self.block.prefix(count))) == nil)
        }
    }

    @Test(arguments: [0, 4, EXIF.Place.first, 10, 20, EXIF.Place.thumbnail, 1 << 31, 0xFFFF_FFFF])
    func `a second directory equal to, inside or outside the first has no thumbnail`(start: Int) {
        #expect(find(EXIF.Place.firstNext, number(start)) == nil)
    }

    @Test(arguments: [
        0, 7, EXIF.Place.first, EXIF.Place.firstNext, EXIF.Place.second, EXIF.Place.thumbnail - 1,
        EXIF.Place.thumbnail + 1, 1 << 31, 0xFFFF_FFFF,
    ])
    func `a thumbnail that overlaps a directory, is outside or has no start is ignored`(start: Int)
    {
        #expect(find(EXIF.Place.second + 2 + 12 + 8, number(start)) == nil)
    }

    @Test(arguments: [0, 1, 2, 9, 1 << 31, 0xFFFF_FFFF])
    func `a thumbnail of 0 bytes, or of more than the block contains, is ignored`(byteCount: Int) {
        #expect(find(EXIF.Place.second + 2 + 24 + 8, number(byteCount)) == nil)
    }

    @Test func `a thumbnail that is not JPEG is ignored`() {
        #expect(find(EXIF.Place.second + 2 + 8, number(1)) == nil)
        #expect(find(EXIF.Place.thumbnail, [0x4D, 0x4D]) == nil)
    }

    @Test func `any bytes of a thumbnail are read without a trap`() {
        for seed in UInt64(0)..<2_000 {
            var generator = SeededGenerator(seed: seed)
            var block = Self.block
            for _ in 0..<Int.random(in: 1...5, using: &generator) {
                block[Int.random(in: 2..<block.count, using: &generator)] =
                    UInt8.random(in: 0...255, using: &generator)
            }

            let found = EXIFParser.thumbnail(in: block)
            #expect(found.map { $0.upperBound <= block.count } ?? true, "seed \(seed)")
        }
    }
}
