import FeedContracts

/// Possible damage of archives; intact ones are in the tests of Feeds.
enum ArchiveDamage {
    static let files: [DamagedFile] = [
        ("links.tar", links), ("appended.tar", SampleArchive.tar(pair) + SampleArchive.tar(pair)),
        ("unsorted.tar", unsorted), ("gap-before-directory.zip", zip(gapAt: directory)),
        ("gap-after-directory.zip", zip(gapAt: stored.count - 22)),
        ("prefix.zip", zip(gapAt: 0)),
    ]

    private static let pair: [(name: String, content: [UInt8])] = [
        ("a.left.png", [1]), ("a.right.png", [2]), ("a.txt", [0x61]),
    ]

    /// Hard links to an earlier file, to a later file, to each other, and out of the archive.
    private static let links =
        SampleArchive.header("b.png", 0, kind: "1", target: "c.png")
        + SampleArchive.header("c.png", 0, kind: "1", target: "b.png")
        + SampleArchive.header("d.png", 0, kind: "1", target: "d.png")
        + SampleArchive.header("e.png", 0, kind: "1", target: "../../etc/passwd")
        + SampleArchive.header("f.png", 0, kind: "1", target: "a.left.png")
        + SampleArchive.tar(pair).dropLast(1024)
        + SampleArchive.header("g.png", 0, kind: "1", target: "a.right.png")
        + [UInt8](repeating: 0, count: 1024)

    private static let unsorted = SampleArchive.tar([
        ("1.png", [1]), ("2.png", [2]), ("1.txt", [0x61]), ("2.json", Array("{}".utf8)),
        ("1.cls", [0x37]), ("2.png", [3]),
    ])

    private static let stored = SampleArchive.zip(pair)
    /// The offset of the directory: an entry has 46 bytes and a name, and the end record has 22.
    private static let directory =
        stored.count - pair.reduce(22) { $0 + 46 + $1.name.utf8.count }

    /// An archive with bytes that its offsets do not count.
    private static func zip(gapAt place: Int) -> [UInt8] {
        stored[..<place] + [UInt8](repeating: 0x4D, count: 64) + stored[place...]
    }
}
