import Testing

@testable import TermGallery

@Suite struct PickedPicturesTests {
    private func bytes(_ urls: [String], zero: Bool = false, terminal: Bool = false) -> [UInt8] {
        PickedPictures(urls: urls, endingWithZero: zero, isForTerminal: terminal).bytes
    }

    @Test func `files are paths byte for byte, other images are URLs`() {
        let urls = ["file:///a%20b/%FF.png", "http://h/a%20b.jpg"]

        #expect(
            bytes(urls) == Array("/a b/".utf8) + [0xFF] + Array(".png\nhttp://h/a%20b.jpg\n".utf8)
        )
    }

    @Test func `a name with a line break needs --print0`() {
        let urls = ["file:///a%0Ab.png", "file:///c.png"]
        let lines = PickedPictures(urls: urls, endingWithZero: false)

        #expect(lines.bytes == Array("/c.png\n".utf8))
        #expect(lines.leftOutCount == 1)
        #expect(bytes(urls, zero: true) == Array("/a\nb.png\u{0}/c.png\u{0}".utf8))
    }

    @Test func `file names are shown on a terminal without control characters`() {
        #expect(bytes(["file:///%1B%5B2J.png"], terminal: true) == Array("/\\u001b[2J.png\n".utf8))
    }
}
