import FeedContracts
import Glibc
import Testing

@testable import Feeds

/// Zip archives whose offsets do not count all bytes of the file, as after a program has inserted
/// bytes.
@Suite struct ZipOffsetTests {
    private static let zip = SampleArchive.zip([("a.png", [1, 2]), ("b.png", [3])])
    private static let end = zip.count - 22
    private static let directory = end - 2 * (46 + 5)

    /// Returns the archive with bytes that the offsets do not count.
    private static func zip(gapsAt places: Int...) -> [UInt8] {
        places.sorted().reversed().reduce(into: zip) { bytes, place in
            bytes.insert(contentsOf: [UInt8](repeating: 0x4D, count: 70), at: place)
        }
    }

    private static func headers(_ steps: [ArchiveStep]) -> [Int?] {
        steps.dropLast().map { step in
            guard case .member(let member) = step, case .zip(let header, _, _) = member.place
            else { return nil }
            return header
        }
    }

    // Before the archive, before the directory and after it.
    @Test(arguments: [(0, 70), (directory, 0), (end, 0)])
    func `members are found where their local headers are`(gap: Int, shift: Int) throws {
        let second = 30 + 5 + 2
        for count in [1, 5, 46, .max] {
            let steps = ArchiveBytes(Self.zip(gapsAt: gap)).walk(pieceByteCount: count)

            #expect(Self.headers(steps) == [shift, shift + second])
            #expect(steps.last == .end(isCut: false))
        }
    }

    @Test func `a damaged local header does not move the other members`() {
        var bytes = Self.zip(gapsAt: 0)
        bytes[70] = 0

        #expect(Self.headers(ArchiveBytes(bytes).walk()) == [70, 70 + 37])
    }

    @Test func `a directory at no expected position is damage`() {
        let steps = ArchiveBytes(Self.zip(gapsAt: 0, Self.end)).walk()

        #expect(steps == [.damaged("has an invalid entry in its directory")])
    }

    // The bytes are those that Python's codecs produce.
    @Test(arguments: [
        (FeedOptions.Encoding.cp932, [0x93, 0xFA, 0x96, 0x7B] as [UInt8], "日本"),
        (.cp932, [0x83, 0x5C], "ソ"), (.gbk, [0xD6, 0xD0, 0xCE, 0xC4], "中文"),
        (.big5, [0xA4, 0xA4], "中"), (.cp866, [0x82, 0xA5], "Ве"), (.eucKR, [0xC7, 0xD1], "한"),
        (.eucJP, [0xC6, 0xFC], "日"), (.windows1251, [0xC2, 0xE5], "Ве"), (.latin1, [0xE9], "é"),
        (.automatic, [0x82], "é"), (.gbk, Array("é".utf8), "é"), (.gbk, [0xFF], "\u{FFFD}"),
    ])
    func `a name is read in the given encoding, unless it is in UTF-8`(
        encoding: FeedOptions.Encoding,
        name: [UInt8],
        expected: String
    ) {
        #expect(ZipNames.utf8(name, 0, charset: encoding.charset) == Array(expected.utf8))
    }

    // Python 3.12 and later ignore such a field as well.
    @Test(arguments: [(UInt32(0), "new.png"), (1, "old.png")])
    func `a Unicode name counts only if its checksum is that of the name`(
        change: UInt32,
        expected: String
    ) {
        let (name, unicode) = (Array("old.png".utf8), Array("new.png".utf8))
        let crc = ZipChecksum(of: name).value ^ change
        let sums = (0..<4).map { UInt8(truncatingIfNeeded: crc >> ($0 * 8)) }
        let field = [0x75, 0x70, UInt8(unicode.count + 5), 0, 1] + sums + unicode
        var bytes = SampleArchive.zip([("old.png", [1])])
        let end = bytes.count - 22
        bytes[end - 46 - name.count + 30] = UInt8(field.count)
        bytes[end + 12] += UInt8(field.count)
        bytes.insert(contentsOf: field, at: end)

        guard case .member(let member)? = ArchiveBytes(bytes).walk().first else {
            return #expect(Bool(false))
        }
        #expect(String(decoding: member.name, as: UTF8.self) == expected)
    }
}
