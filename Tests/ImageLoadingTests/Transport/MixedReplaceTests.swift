import Testing

@testable import ImageLoading

/// The endless bodies of cameras, of which the first image is used.
@Suite struct MixedReplaceTests {
    private static let image = Array("JPEG\r\n--other\r\n-data-\r\n".utf8)

    private static func part(_ image: [UInt8], fields: String) -> [UInt8] {
        Array("--frame\r\nContent-Type: image/jpeg\r\n\(fields)\r\n".utf8) + image
            + Array("\r\n".utf8)
    }

    private static func read(_ body: [UInt8], pieces: Int) -> (image: [UInt8]?, isAtEnd: Bool) {
        var reader = MixedReplaceReader(
            contentType: "multipart/x-mixed-replace; boundary=\"frame\""
        )
        var image: [UInt8] = []
        for start in stride(from: 0, to: body.count, by: pieces) {
            let piece = Array(body[start..<min(start + pieces, body.count)])
            guard let bytes = piece.withUnsafeBytes({ reader?.read($0) }) else {
                return (nil, false)
            }
            image += bytes
        }
        return (image, reader?.isAtEnd == true)
    }

    @Test(arguments: [1, 2, 7, 1 << 20], ["", "Content-Length: 23\r\n", "X-A: b\r\n"])
    func `the first image is read, however the body is divided`(pieces: Int, fields: String) {
        let next = Self.part(Array("next".utf8), fields: "")
        let empty = Self.part([], fields: "Content-Length: 0\r\n")
        for body in [
            Self.part(Self.image, fields: fields) + next,
            Array("preamble\r\n".utf8) + empty + Self.part(Self.image, fields: fields) + next,
        ] {
            let (image, isAtEnd) = Self.read(body, pieces: pieces)

            #expect(image == Self.image)
            #expect(isAtEnd)
        }
    }

    @Test func `parts of one byte, and a part without an end, take linear time`() {
        let small = Self.part([0x41], fields: "")
        #expect(Self.read(small + small, pieces: 1).image == [0x41])

        let endless = Self.part(Array(repeating: 0x2D, count: 2 << 20), fields: "")
        let (image, isAtEnd) = Self.read(endless, pieces: 1000)
        #expect(image.map { $0.count > 2_000_000 } == true && !isAtEnd)
    }

    @Test func `a long head and an image like a boundary take linear time in pieces of one byte`() {
        let fields = String(repeating: "X: b\r\n", count: 2_000)
        let hyphens = [UInt8](repeating: 0x2D, count: 1 << 18)
        let body = Self.part(hyphens, fields: fields) + Self.part([], fields: "")

        let (image, isAtEnd) = Self.read(body, pieces: 1)

        #expect(image == hyphens && isAtEnd)
    }

    @Test(arguments: [1, 2, 7, 1 << 20])
    func `a boundary is found after a part of itself`(pieces: Int) {
        for image in ["A-", "--fram", "--fra--fr", "-\r"].map({ Array($0.utf8) }) {
            let body = Array("--frame\n\n".utf8) + image + Array("--frame".utf8)

            let (found, isAtEnd) = Self.read(body, pieces: pieces)

            #expect(isAtEnd)
            #expect(found == (image.last == 0x0D ? image.dropLast() : image))
        }
    }

    @Test(arguments: [1, 1000, 1 << 20])
    func `header fields of more than 16 KiB are refused, however they arrive`(pieces: Int) {
        let fields = String(repeating: "X: b\r\n", count: 3_000)

        #expect(Self.read(Self.part(Self.image, fields: fields), pieces: pieces).image == nil)
    }

    @Test func `a negative length is ignored`() {
        let part = Self.part(Self.image, fields: "Content-Length: -1\r\n")

        #expect(Self.read(part + part, pieces: 1000).image == Self.image)
    }

    @Test func `the end of the body also ends the image`() {
        var reader = MixedReplaceReader(contentType: "multipart/x-mixed-replace; boundary=frame")
        let body = Array(Self.part(Self.image, fields: "").dropLast(2))

        let image = body.withUnsafeBytes { reader?.read($0) }

        #expect(reader?.isAtEnd == false)
        #expect((image ?? []) + (reader?.remainder ?? []) == Self.image)
    }

    @Test func `a body without a part is refused`() {
        let (image, _) = Self.read([UInt8](repeating: 0x41, count: 100_000), pieces: 1000)

        #expect(image == nil)
    }

    @Test(arguments: [
        "image/jpeg", "multipart/byteranges; boundary=x", "multipart/x-mixed-replace",
        "multipart/x-mixed-replace; boundary=",
    ])
    func `other types are not divided`(contentType: String) {
        #expect(MixedReplaceReader(contentType: contentType) == nil)
    }

    @Test func `the connection is closed after the first image of a camera`() async {
        let head =
            "HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace;boundary=--frame\r\n\r\n"
        let image = Self.part(Self.image, fields: "")
        let server = LoopbackServer([
            "/": [.text(head), .sendForever(image)]
        ])

        let outcome = await CurlTransport(configuration: .patient).run(server.url("/"))

        #expect(outcome.body == Self.image)
        #expect(outcome.error == nil)
    }
}
