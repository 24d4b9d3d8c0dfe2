import Decoders
import Glibc
import ImageLoadingTesting
import Testing

@testable import ImageLoading
import SystemSupport

/// A local image, and a directory for its desktop thumbnails.
struct DesktopBench {
    let bench: CacheBench
    let path: String
    /// A file of 200×100 pixels.
    let picture = PatternDecoder.bytes(width: 200, height: 100) + [1] + body(6_000)
    let written = 1_500_000_000

    init(fileName: String = "Bild ü #1;.png") throws {
        bench = try CacheBench()
        path = bench.root + "/" + fileName
        try bench.write(picture, to: path)
        try setTime(written)
    }

    func setTime(_ seconds: Int) throws {
        let time = timespec(tv_sec: seconds, tv_nsec: 700_000_000)
        try #require(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
    }

    func harness(_ use: DesktopThumbnailUse = .read) -> ManagerHarness {
        let root = bench.root
        return ManagerHarness {
            $0.desktopThumbnails = use
            $0.desktopThumbnailHome = root + "/xdg"
        }
    }

    func request(
        _ options: LoadingOptions = .acceptThumbnail,
        box: PixelSize = PixelSize(width: 100, height: 100)
    ) throws -> ImageRequest {
        ImageRequest(
            url: try #require(ImageURL(filePath: path)).absoluteString,
            targetSize: box,
            options: options
        )
    }

    var name: DesktopThumbnailName {
        get throws { try #require(DesktopThumbnailName(path: Array(path.utf8))) }
    }

    /// Stores a thumbnail as another program does, in a single color that identifies it.
    func plant(
        in folder: String = "normal",
        width: Int = 128,
        height: Int = 64,
        change: (inout DesktopThumbnailFacts) -> Void = { _ in }
    ) throws {
        let size = PixelSize(width: width, height: height)
        let bytes = Array(repeating: [10, 20, 30, 255] as [UInt8], count: size.pixelCount)
        let pixels = PixelBuffer(size: size, bytes: bytes.flatMap(\.self), hasAlpha: true)
        var facts = DesktopThumbnailFacts(uri: try name.uri, modified: written)
        change(&facts)
        let png = try #require(PNGTexts.adding(facts.texts, to: try PNGEncoder.encode(pixels)))
        let folder = "\(bench.root)/xdg/thumbnails/\(folder)"
        UserFolders.make(folder)
        try bench.write(png, to: "\(folder)/\(try name.fileName)")
    }

    func isShown(
        _ harness: ManagerHarness? = nil,
        _ request: ImageRequest? = nil
    ) async throws -> Bool {
        let harness = harness ?? self.harness()
        let image = try await harness.load(try request ?? self.request()).result().get().image
        #expect(image.properties.size == PixelSize(width: 200, height: 100))
        let isTheirs = image.pixels.bytes.starts(with: [10, 20, 30])
        #expect(image.isThumbnail == isTheirs)
        return isTheirs
    }

    var folder: String { "\(bench.root)/xdg/thumbnails" }

    func fileNames(in path: String) -> [String] {
        ((try? FolderNames.of(path)) ?? []).sorted()
    }
}
