import FoundationEssentials
import Glibc
import Testing

@testable import Feeds
@testable import GalleryCore
@testable import TermGallery

@Suite struct LabelFileTests {
    private let folder: String

    init() {
        var template = Array("/tmp/termgallery-labels-XXXXXX".utf8CString)
        folder = mkdtemp(&template).map { String(cString: $0) } ?? "/tmp"
    }

    private func remove() { try? FileManager.default.removeItem(atPath: folder) }

    private var path: String { "\(folder)/labels.jsonl" }

    private func decision(
        _ address: String,
        _ label: UInt8?,
        _ name: String? = nil
    ) -> LabelDecision {
        LabelDecision(address: address, label: label, name: name, previous: nil)
    }

    private var text: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

    private func write(_ text: String) throws {
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }

    private static let time = Date(timeIntervalSince1970: 1_700_000_000)

    @Test func `each decision is a line of JSON after the existing ones`() throws {
        defer { remove() }
        let file = try LabelFile(path: path)
        try file.append(decision("http://h/1.jpg", 3, "reject"), at: Self.time)
        try file.append(decision("file:///a%20b.png", 1, "keep"), at: Self.time)
        try file.append(decision("http://h/1.jpg", nil), at: Self.time)

        #expect(
            text == """
                {"label":3,"name":"reject","time":"2023-11-14T22:13:20Z","url":"http://h/1.jpg"}
                {"label":1,"name":"keep","path":"/a b.png","time":"2023-11-14T22:13:20Z"}
                {"label":null,"time":"2023-11-14T22:13:20Z","url":"http://h/1.jpg"}

                """
        )
    }

    @Test func `an image's feed fields are in its line`() throws {
        defer { remove() }
        let file = try LabelFile(path: path)
        var decision = decision("http://h/1.jpg", 3, "reject")
        var details = FeedItemDetails()
        details.title = "T\u{202E}"
        details.fields = [
            FeedItemDetails.Field(name: "b", value: "1"),
            FeedItemDetails.Field(name: "a", value: "[2]", isJSON: true),
        ]
        decision.details = details
        try file.append(decision, at: Self.time)

        #expect(
            text == """
                {"label":3,"name":"reject","time":"2023-11-14T22:13:20Z","url":"http://h/1.jpg",\
                "title":"T\\u202e","fields":{"b":"1","a":[2]}}

                """
        )
        #expect(try LabelFile(path: path).labels == ["http://h/1.jpg": 3])
    }

    @Test(arguments: [true, false])
    func `a file that is replaced or deleted while it is open gets the next labels`(
        isReplaced: Bool
    ) throws {
        defer { remove() }
        let file = try LabelFile(path: path)
        try file.append(decision("http://h/1.jpg", 3))
        try FileManager.default.removeItem(atPath: path)
        // As an editor leaves it, without the last line's end.
        if isReplaced { try write("{\"label\":2,\"url\":\"http://h/2.jpg\"}") }

        try file.append(decision("http://h/3.jpg", 1))

        let labels = try LabelFile(path: path).labels
        #expect(labels["http://h/3.jpg"] == 1 && labels["http://h/2.jpg"] == (isReplaced ? 2 : nil))
    }

    @Test func `lines of other programs are read too`() throws {
        defer { remove() }
        try write(
            """
            {"label":1,"url":"http://h/1.jpg"}
            { "label" : 2, "url" : "http://h/2.jpg" }
            {"label":3,"url":"http://h/\\u0033.jpg","more":{"a":[1]}}
            {"label":12,"url":"http://h/4.jpg"}
            {"label":4,"url":"http://h/5.jpg"}x
            {"url":"http://h/6.jpg"}
            {"label":null,"url":"http://h/1.jpg"}

            """
        )

        let file = try LabelFile(path: path)

        #expect(file.labels == ["http://h/2.jpg": 2, "http://h/3.jpg": 3])
        #expect(file.skippedLineCount == 3)
    }

    @Test func `the last line of a URL counts when it is read again`() throws {
        defer { remove() }
        let file = try LabelFile(path: path)
        try file.append(decision("http://h/1.jpg", 3))
        try file.append(decision("http://h/2.jpg", 1))
        try file.append(decision("file:///%FF%0A%1B.png", 2))
        try file.append(decision("http://h/1.jpg", 2))
        try file.append(decision("http://h/2.jpg", nil))

        let again = try LabelFile(path: path)
        #expect(again.labels == ["http://h/1.jpg": 2, "file:///%FF%0A%1B.png": 2])
        #expect(again.skippedLineCount == 0)
    }

    @Test func `no raw control character is in a line`() throws {
        defer { remove() }
        let file = try LabelFile(path: path)
        try file.append(decision("file:///%1B%5B2J%0A%E2%80%AE.png", 2, "a\u{9B}\u{202E}b"))

        #expect(text.unicodeScalars.count { $0.value < 0x20 } == 1)
        #expect(!text.contains("\u{202E}") && !text.contains("\u{9B}"))
        #expect(try LabelFile(path: path).labels.count == 1)
    }

    @Test func `damaged and half lines are left out and counted`() throws {
        defer { remove() }
        try write(
            """
            {"url":"http://h/1.jpg","label":2}
            {"url":"http://h/2.jpg","label":12}
            {"url":"http://h/3.jpg"}
            {"label":1}
            nonsense \u{1B}[2J

            [1, 2]
            {"url":"http://h/4.jpg","la
            """
        )

        let file = try LabelFile(path: path)
        #expect(file.labels == ["http://h/1.jpg": 2])
        #expect(file.skippedLineCount == 6)

        // A line that was cut short doesn't take the next one with it.
        try file.append(decision("http://h/5.jpg", 1))
        let again = try LabelFile(path: path)
        #expect(again.labels == ["http://h/1.jpg": 2, "http://h/5.jpg": 1])
        #expect(again.skippedLineCount == 6)
    }

    @Test func `an unwritable file is refused immediately, with its reason`() throws {
        defer { remove() }
        for place in [folder, "\(folder)/missing/labels", "/dev/null"] {
            do throws(ProgramFailure) {
                _ = try LabelFile(path: place)
                Issue.record("took \(place)")
            } catch {
                #expect(error.status == .usage)
                #expect(error.message?.hasPrefix("cannot save labels in \(place): ") == true)
            }
        }
    }

    @Test func `a line that can't be written is an error`() throws {
        defer { remove() }
        try write("")
        let file = try LabelFile(descriptor: open(path, O_RDONLY | O_CLOEXEC))

        #expect(throws: LabelFile.Problem(reason: "Bad file descriptor")) {
            try file.append(decision("http://h/1.jpg", 1))
        }
    }

    @Test func `names are separated by commas, one for each digit`() {
        #expect(LabelNamesArgument(argument: "cat, dog")?.names == ["cat", "dog"])
        #expect(LabelNamesArgument(argument: "1,2,3,4,5,6,7,8,9")?.names.count == 9)
        #expect(LabelNamesArgument(argument: "1,2,3,4,5,6,7,8,9,10") == nil)
        #expect(LabelNamesArgument(argument: "cat,,dog") == nil)
        #expect(LabelNamesArgument(argument: "") == nil)
    }
}
