import Testing

@testable import Decoders

@Suite struct EXIFParserTests {
    @Test(arguments: 1...8, [false, true])
    func `the orientation is read in both byte orders`(value: Int, isBigEndian: Bool) {
        for type in [1, 3, 4] {
            let block = EXIF.block(orientation: value, isBigEndian: isBigEndian, type: type)

            #expect(EXIFParser.orientation(in: block).rawValue == value)
        }
    }

    @Test(arguments: [0, 9, 255, 65535])
    func `a value that is no orientation is upright`(value: Int) {
        #expect(EXIFParser.orientation(in: EXIF.block(orientation: value)) == .upright)
    }

    @Test func `a block cut anywhere is upright`() {
        let block = EXIF.block(orientation: 6)

        for count in 0..<20 {
            #expect(EXIFParser.orientation(in: Array(block.prefix(count))) == .upright)
        }
    }

    @Test func `a directory beyond the end is upright`() {
        var block = EXIF.block(orientation: 6)
        block.replaceSubrange(4..<8, with: [0xFF, 0xFF, 0xFF, 0xFF])

        #expect(EXIFParser.orientation(in: block) == .upright)
    }

    @Test func `a directory of more entries than bytes ends at the bytes`() {
        var block = EXIF.block(orientation: 6)
        block.replaceSubrange(8..<12, with: [0xFF, 0xFF, 0x01, 0x13])

        #expect(EXIFParser.orientation(in: block) == .upright)
    }

    @Test func `any bytes are taken without a trap`() {
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
