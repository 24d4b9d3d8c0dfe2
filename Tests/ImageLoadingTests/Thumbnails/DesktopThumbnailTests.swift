import Decoders
import Glibc
import ImageLoadingTesting
import Testing

@testable import ImageLoading
import SystemSupport

/// Thumbnails that desktop programs share, and the rules for showing them.
struct DesktopThumbnailTests {
    private let desktop: DesktopBench

    init() throws {
        desktop = try DesktopBench()
    }

    // MARK: Names

    /// The first is the standard's own example; the others were made with Python's urllib and
    /// hashlib, with the characters that GLib does not encode.
    @Test(arguments: [
        (
            "/home/jens/photos/me.png", "file:///home/jens/photos/me.png",
            "c6ee772d9e49320e97ec29a7eb5b1697"
        ),
        (
            "/tmp/a b/ü#?%;[]{}<>^`|\\\".jpg",
            "file:///tmp/a%20b/%C3%BC%23%3F%25%3B%5B%5D%7B%7D%3C%3E%5E%60%7C%5C%22.jpg",
            "8b1de0662cae74f67c9a6f694ec030d4"
        ),
        (
            "/t/-_.!~*'()&=:@+$,", "file:///t/-_.!~*'()&=:@+$,",
            "142578b2704649f078eccaa5740a2fd6"
        ),
    ])
    func `a file has the URL and the thumbnail name that all programs use`(
        path: String,
        uri: String,
        digest: String
    ) throws {
        let name = try #require(DesktopThumbnailName(path: Array(path.utf8)))

        #expect(name.uri == uri)
        #expect(name.fileName == digest + ".png")
    }

    @Test func `empty path steps are removed, and bytes that are not text are kept`() {
        let name = { (path: [UInt8]) in DesktopThumbnailName(path: path)?.uri }

        #expect(name(Array("//a/./b/../c//".utf8)) == "file:///a/c")
        #expect(name(Array("/../..".utf8)) == "file:///")
        #expect(name([0x2F, 0xFF]) == "file:///%FF")
        #expect(name(Array("a".utf8)) == nil)
        #expect(name([]) == nil)
        #expect(name([0x2F, 0]) == nil)
    }

    @Test(arguments: [
        (1, 1, "normal"), (128, 20, "normal"), (20, 129, "large"), (256, 256, "large"),
        (257, 1, "x-large"), (1_024, 1, "xx-large"), (1_025, 1, nil),
    ])
    func `a box uses the smallest size with enough pixels`(
        width: Int,
        height: Int,
        folder: String?
    ) {
        let box = PixelSize(width: width, height: height)

        #expect(DesktopThumbnailName.Size.least(covering: box)?.folder == folder)
    }

    // MARK: Reading

    @Test func `a valid thumbnail is used as the image`() async throws {
        try desktop.plant()

        #expect(try await desktop.isShown())
    }

    @Test func `callers that need the image itself get it`() async throws {
        try desktop.plant()

        #expect(try await !desktop.isShown(nil, desktop.request([])))
        #expect(
            try await !desktop.isShown(nil, desktop.request([.acceptThumbnail, .refreshCached]))
        )
        #expect(
            try await !desktop.isShown(nil, desktop.request([.acceptThumbnail, .fromLoaderOnly]))
        )
        #expect(try await !desktop.isShown(desktop.harness(.none)))
    }

    @Test func `a thumbnail of another file, or of an older version, is not used`() async throws {
        let changes: [(inout DesktopThumbnailFacts) -> Void] = [
            { $0.uri += "x" }, { $0.modified += 1 }, { $0.modified -= 1 }, { $0.byteCount = 17 },
        ]
        for change in changes {
            try desktop.plant(change: change)
            #expect(try await !desktop.isShown())
        }
        try desktop.plant { $0.byteCount = UInt64(desktop.picture.count) }
        #expect(try await desktop.isShown())
    }

    @Test func `a file that was written since has no thumbnail`() async throws {
        try desktop.plant()
        try desktop.setTime(desktop.written + 60)

        #expect(try await !desktop.isShown())
    }

    @Test func `a thumbnail is not enlarged, unless the image is no larger`()
        async throws
    {
        try desktop.plant(width: 90, height: 128)
        #expect(
            try await desktop.isShown(nil, desktop.request(box: PixelSize(width: 90, height: 500)))
        )
        #expect(
            try await !desktop.isShown(nil, desktop.request(box: PixelSize(width: 91, height: 129)))
        )
        try desktop.plant(width: 100, height: 50)
        #expect(
            try await desktop.isShown(nil, desktop.request(box: PixelSize(width: 120, height: 120)))
        )
        try desktop.plant(in: "large", width: 256, height: 128)
        #expect(
            try await desktop.isShown(nil, desktop.request(box: PixelSize(width: 200, height: 200)))
        )
    }

    @Test func `files in the folder of failures, and files that are not PNG, are not used`()
        async throws
    {
        try desktop.plant(in: "fail/gnome-thumbnail-factory")
        #expect(try await !desktop.isShown())
        try desktop.plant()
        let file = "\(desktop.bench.root)/xdg/thumbnails/normal/\(try desktop.name.fileName)"
        for bytes in [[], Array("GIF89a".utf8), body(10_000)] {
            try desktop.bench.write(bytes, to: file)
            #expect(try await !desktop.isShown())
        }
        unlink(file)
        symlink("/dev/zero", file)
        #expect(try await !desktop.isShown())
    }

    @Test func `a thumbnail cut at any byte costs at most a decode`() async throws {
        try desktop.plant()
        let file = "\(desktop.bench.root)/xdg/thumbnails/normal/\(try desktop.name.fileName)"
        let whole = try FileReading.contents(
            of: file,
            maximumByteCount: 1 << 20,
            followsLinks: false
        ).bytes

        for count in stride(from: 0, to: whole.count, by: 7) {
            try desktop.bench.write(Array(whole.prefix(count)), to: file)
            _ = try await desktop.isShown()
        }
    }
}
