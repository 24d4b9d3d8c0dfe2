import Decoders
import ImageLoading
import Testing

@testable import Feeds
@testable import GalleryCore

/// Filters by the fields of a feed's records, and by those of photos.
@Suite struct FilterFieldTests {
    private static let list = """
        {"url": "http://h/a.jpg", "score": 0.95, "split": "train", "clip_sim": 31, "Year": "2023"}
        {"url": "http://h/b.jpg", "score": 0.9, "split": "test", "clip_sim": 7}
        {"url": "http://h/c.jpg", "score": "high", "split": "Training"}
        {"url": "file:///p/d.jpg"}
        """

    private static func feed() throws -> Feed {
        try Feed(parsing: Array(list.utf8), title: "f", base: .directory("/"), origin: .local)
    }

    private func shown(_ filter: String) throws -> [Int] {
        let feed = try Self.feed()
        var camera = CameraFacts()
        (camera.model, camera.sensitivity, camera.aperture) = ("FUJIFILM X100V", 1_600, 2.8)
        let record = PhotoRecord(camera: camera, taken: nil)
        var arranger = FeedArranger(feed: feed, file: { _ in nil }, photo: { _ in record })
        var arrangement = ItemArrangement()
        let (query, problems) = FilterQuery.parse(filter, FilterFields(of: feed))
        #expect(problems.isEmpty)
        arrangement.filter = query
        let order = try #require(arranger.order(arrangement, known: KnownItems()) { false })
        return (0..<order.count).map { order[$0] }
    }

    @Test(
        arguments: [
            ("score:>0.9", [0]), ("score:>=0.9", [0, 1]), ("score:<0.95", [1]),
            ("score:0.9..0.95", [0, 1]), ("score:..0.9", [1]), ("score:0.90", [1]),
            ("score:high", [2]), ("split:train", [0, 2]), ("split:Train", [2]),
            ("-split:train", [1, 3]), ("clip_sim:>7", [0]), ("year:2023", [0]),
            ("SCORE:>0.9 split:tr", [0]), ("score:>", [0, 1, 2, 3]), ("score:", [0, 1, 2, 3]),
            ("camera:x100v", [3]), ("camera:\"X100V\"", [3]), ("camera:\"film x\"", [3]),
            ("iso:>=1600 aperture:2.8", [3]),
            ("iso:>1600", []), ("lens:f", []),
        ]
    )
    func `numbers are compared as numbers, and texts are searched`(
        filter: String,
        items: [Int]
    ) throws {
        #expect(try shown(filter) == items)
    }

    @Test(arguments: [
        ("scoer:1", "no such field: scoer:; did you mean \"score\"?"),
        ("spilt:a", "no such field: spilt:; did you mean \"split\"?"),
        ("wdth:1", "no such field: wdth:; did you mean \"width\"?"),
        ("colour:red", "no such field: colour:"),
    ])
    func `an unknown field is reported with a similar name`(filter: String, text: String) throws {
        let problems = FilterQuery.parse(filter, FilterFields(of: try Self.feed())).problems

        #expect(problems.map(\.text) == [text])
    }

    @Test func `Tab completes the names of the feed's fields`() throws {
        let fields = FilterFields(of: try Self.feed())

        #expect(
            FilterQuery.completions(of: "s", fields) == ["score:", "size:", "split:", "state:"]
        )
    }

    @Test func `the names of fields are found in the first records`() throws {
        #expect(
            FilterFields(of: try Self.feed()).names
                == ["score", "split", "clip_sim", "year"] + FilterFields.camera
        )
        #expect(FilterFields(of: nil).names == FilterFields.camera)
    }
}
