import Decoders
import GalleryCore
import ImageLoading
import Testing

@Suite struct ContactSheetTests {
    private func sheet(columns: Int) -> ContactSheet {
        ContactSheet(
            columns: columns,
            imageBox: ScreenSize(columns: 10, rows: 3),
            capabilities: ScreenCapabilities(colorDepth: .monochrome, symbols: .ascii)
        )
    }

    private func entry(_ caption: String, problem: String? = nil) -> ContactSheet.Entry {
        ContactSheet.Entry(
            item: FeedItem(url: "u", caption: caption, problem: problem),
            outcome: .failure(.notFound)
        )
    }

    private func text(_ frame: Frame, row: Int) -> String {
        String(
            String.UnicodeScalarView(
                (0..<frame.size.columns).compactMap { Unicode.Scalar(frame[row, $0].scalar) }
            )
        )
    }

    @Test(arguments: [(80, 24, 3), (25, 24, 1), (24, 24, 1), (1, 24, 1), (1000, 1, 500), (0, 1, 1)])
    func `as many pictures as fit, and always one`(width: Int, picture: Int, count: Int) {
        let box = ScreenSize(columns: picture, rows: 1)

        #expect(ContactSheet.columns(fitting: width, imageBox: box) == count)
    }

    @Test func `a picture is loaded at two pixels a cell`() {
        #expect(sheet(columns: 1).targetSize.width == 10)
        #expect(sheet(columns: 1).targetSize.height == 6)
        #expect(sheet(columns: 0).columns == 1)
    }

    @Test func `a row is pictures side by side with captions below`() {
        let frame = sheet(columns: 3).row([entry("one"), entry("two")])

        #expect(frame.size == ScreenSize(columns: 22, rows: 4))
        #expect(text(frame, row: 3).split(separator: " ") == ["x", "one", "x", "two"])
        #expect(text(frame, row: 3).hasPrefix(" "))
    }

    @Test func `a failure shows its reason, a bad line its own`() {
        let frame = sheet(columns: 2).row([entry("a"), entry("b", problem: "bad line")])

        let all = (0..<3).map { text(frame, row: $0) }.joined()
        #expect(all.contains("404"))
        #expect(all.contains("bad line"))
    }
}
