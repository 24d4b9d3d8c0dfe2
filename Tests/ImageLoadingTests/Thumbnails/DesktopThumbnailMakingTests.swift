import Decoders
import Glibc
import ImageLoadingTesting
import Testing

@testable import ImageLoading
import SystemSupport

/// Thumbnails that are created for desktop programs.
struct DesktopThumbnailMakingTests {
    private let desktop: DesktopBench

    init() throws {
        desktop = try DesktopBench()
    }

    @Test func `a thumbnail is shared with other programs, private to this user, and valid`()
        async throws
    {
        let harness = desktop.harness(.readAndWrite)
        #expect(try await !desktop.isShown(harness))
        await harness.manager.flush()

        let folder = "\(desktop.bench.root)/xdg/thumbnails"
        let file = "\(folder)/normal/\(try desktop.name.fileName)"
        let bytes = try FileReading.contents(
            of: file,
            maximumByteCount: 1 << 20,
            followsLinks: false
        ).bytes
        let image = try DecoderRegistry.standard.decode(bytes, options: DecodingOptions())
        #expect(image.pixels.size == PixelSize(width: 128, height: 64))
        #expect(image.properties.hasAlpha && !image.properties.isProgressive)
        let texts = PNGTexts.texts(in: bytes)
        #expect(texts["Thumb::URI"] == (try desktop.name.uri))
        #expect(texts["Thumb::MTime"] == "\(desktop.written)")
        #expect(texts["Thumb::Size"] == "\(desktop.picture.count)")
        #expect(texts["Thumb::Image::Width"] == "200")
        for (path, mode) in [(folder, 0o700), ("\(folder)/normal", 0o700), (file, 0o600)] {
            var status = stat()
            try #require(stat(path, &status) == 0)
            #expect(Int(status.st_mode) & 0o777 == mode)
        }
        #expect(desktop.fileNames(in: folder + "/normal") == [try desktop.name.fileName])
    }

    @Test func `thumbnails are made only on request, and never of the thumbnails themselves`()
        async throws
    {
        let reading = desktop.harness()
        #expect(try await !desktop.isShown(reading))
        await reading.manager.flush()
        #expect(desktop.fileNames(in: "\(desktop.bench.root)/xdg") == [])

        let folder = "\(desktop.bench.root)/xdg/thumbnails/large"
        UserFolders.make(folder)
        try desktop.bench.write(desktop.picture, to: folder + "/a.png")
        let harness = desktop.harness(.readAndWrite)
        let url = try #require(ImageURL(filePath: folder + "/a.png")).absoluteString
        let request = ImageRequest(url: url, targetSize: PixelSize(width: 9, height: 9))
        _ = try await harness.load(request).result().get()
        await harness.manager.flush()
        #expect(desktop.fileNames(in: "\(desktop.bench.root)/xdg/thumbnails") == ["large"])
        #expect(desktop.fileNames(in: folder) == ["a.png"])
    }

    @Test func `pending thumbnails are not made when the program ends`() async throws {
        let harness = desktop.harness(.readAndWrite)
        harness.manager.stopMakingThumbnails()
        _ = try await desktop.isShown(harness)
        await harness.manager.flush()

        #expect(desktop.fileNames(in: "\(desktop.bench.root)/xdg") == [])
    }

    /// GLib finds the thumbnail independently, and validates it with the file's modification time.
    @Test(arguments: [
        "plain.png", "with space.png", "ümläut.png", "hash#question?percent%41.png",
        "semi;[brackets]{braces}.png", "quote\"'`|^<>\\.png", "~!$&()*+,=:@-_.png",
    ])
    func `GLib finds the generated thumbnail, and accepts it`(
        fileName: String
    ) async throws {
        let desktop = try DesktopBench(fileName: fileName)
        let harness = desktop.harness(.readAndWrite)
        _ = try await desktop.isShown(harness)
        await harness.manager.flush()

        let found = try judgment(of: desktop)
        #expect(
            found.contains("thumbnail::path: \(desktop.folder)/normal/\(try desktop.name.fileName)")
        )
        #expect(found.contains("thumbnail::is-valid: TRUE"))

        try desktop.setTime(desktop.written + 1)
        #expect(try judgment(of: desktop).contains("thumbnail::is-valid: FALSE"))
    }

    /// Returns the lines that `gio` prints about the file's thumbnail.
    private func judgment(of desktop: DesktopBench) throws -> [String] {
        let answer = "\(desktop.bench.root)/answer"
        let script = #"XDG_CACHE_HOME="$1" gio info -a "thumbnail::*" "$2" >"$3""#
        let words = ["sh", "-c", script, "sh", "\(desktop.bench.root)/xdg", desktop.path, answer]
        try #require(ServerProcess.run(words) == 0, "gio is missing: run make setup")
        let bytes = try FileReading.contents(
            of: answer,
            maximumByteCount: 1 << 20,
            followsLinks: false
        ).bytes
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
            String(line.drop { $0 == " " })
        }
    }
}
