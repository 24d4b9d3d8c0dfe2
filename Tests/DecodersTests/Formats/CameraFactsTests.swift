import Testing

@testable import Decoders

@Suite struct CameraFactsTests {
    /// A TIFF block with a maker, a model and a directory of details.
    static func block(littleEndian: Bool = true) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            return littleEndian ? bytes : bytes.reversed()
        }
        var data: [UInt8] = []
        let dataStart = 8 + (2 + 3 * 12 + 4) + (2 + 6 * 12 + 4)
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
            let field =
                value.count <= 4 ? value + [UInt8](repeating: 0, count: 4 - value.count) : []
            defer { if field.isEmpty { data += value } }
            return number(tag, 2) + number(type, 2) + number(count, 4)
                + (field.isEmpty ? number(dataStart + data.count, 4) : field)
        }
        func text(_ tag: Int, _ text: String) -> [UInt8] {
            let bytes = Array(text.utf8) + [0]
            return entry(tag, 2, bytes.count, bytes)
        }
        func fraction(_ tag: Int, _ top: Int, _ bottom: Int) -> [UInt8] {
            entry(tag, 5, 1, number(top, 4) + number(bottom, 4))
        }
        let start = littleEndian ? Array("II".utf8) : Array("MM".utf8)
        var bytes = start + number(42, 2) + number(8, 4)
        bytes += number(3, 2) + text(0x010F, "Canon Inc. ") + text(0x0110, "Canon EOS R5")
        bytes += entry(0x8769, 4, 1, number(50, 4)) + number(0, 4)
        bytes += number(6, 2) + fraction(0x829A, 1, 250) + fraction(0x829D, 28, 10)
        bytes += entry(0x8827, 3, 1, number(400, 2)) + text(0x9003, "2026:11:23 01:30:00")
        bytes += fraction(0x920A, 35, 1) + text(0xA434, "RF 35") + number(0, 4)
        return bytes + data
    }

    private static let facts: CameraFacts = {
        var facts = CameraFacts()
        (facts.model, facts.lens, facts.taken) = ("Canon EOS R5", "RF 35", "2026:11:23 01:30:00")
        (facts.exposureTime, facts.aperture) = (1.0 / 250, 2.8)
        (facts.sensitivity, facts.focalLength) = (400, 35)
        return facts
    }()

    @Test(arguments: [true, false])
    func `camera data is read in either byte order`(littleEndian: Bool) {
        let block = Self.block(littleEndian: littleEndian)
        #expect(CameraFacts(startOfFile: block) == Self.facts)
    }

    @Test func `a JPEG's camera data is in its EXIF segment`() {
        let block = Array("Exif\0\0".utf8) + Self.block()
        let length = block.count + 2
        let file: [UInt8] =
            [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + block
            + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
        #expect(CameraFacts(startOfFile: file) == Self.facts)
    }

    @Test func `a block cut at any byte, or with any byte changed, does no harm`() {
        let block = Self.block()
        for count in 0..<block.count { _ = CameraFacts(startOfFile: Array(block[..<count])) }
        for index in block.indices {
            for value: UInt8 in [0, 1, 127, 255] {
                var changed = block
                changed[index] = value
                if let facts = CameraFacts(startOfFile: changed) {
                    #expect((facts.model?.utf8.count ?? 0) < 1000)
                    #expect(facts.exposureTime.map { $0 > 0 && $0.isFinite } ?? true)
                }
            }
        }
    }

    @Test func `a file that is not a camera's image has no camera data`() {
        #expect(CameraFacts(startOfFile: []) == nil)
        #expect(CameraFacts(startOfFile: Array("GIF89a".utf8)) == nil)
        #expect(CameraFacts(startOfFile: [0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]) == nil)
    }
}
