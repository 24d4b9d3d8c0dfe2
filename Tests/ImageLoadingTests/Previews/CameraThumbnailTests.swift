import Decoders
import Foundation
import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// Loads that return the thumbnail that a camera embedded in the file.
@Suite(.timeLimit(.minutes(5))) struct CameraThumbnailTests {
    private let bench: CacheBench
    private let harness: ManagerHarness
    private let url = "http://a.example/1.jpg"
    private let body: [UInt8]

    init() throws {
        bench = try CacheBench()
        harness = ManagerHarness(disk: DiskCacheConfiguration(directory: bench.directory))
        body = try CameraFile.bytes()
    }

    private func request(
        _ url: String,
        options: LoadingOptions = [.stopWhenSufficient, .acceptThumbnail]
    ) -> ImageRequest {
        ImageRequest(url: url, targetSize: PixelSize(width: 40, height: 30), options: options)
    }

    /// Returns whether an image is the thumbnail, which is a little red; the main image is gray.
    private func isThumbnail(_ image: DecodedImage) -> Bool {
        image.isThumbnail && image.pixels.bytes[0] > image.pixels.bytes[1] + 4
    }

    private func sendBeginning(_ byteCount: Int, of file: [UInt8]? = nil) {
        let file = file ?? body
        let headers = ["etag": "\"v\"", "accept-ranges": "bytes", "cache-control": "max-age=3600"]
        harness.transport.send(
            .head(TransferHead(status: 200, expectedByteCount: file.count, headers: headers)),
            to: url
        )
        harness.transport.send(.chunk(Array(file.prefix(byteCount))), to: url)
    }

    @Test func `the beginning of the body ends the load`() async throws {
        let load = harness.load(request(url))
        await harness.transport.waitForStarts(1)
        sendBeginning(CameraFile.headByteCount)

        let response = try await load.result().get()

        #expect(isThumbnail(response.image))
        #expect(response.image.properties.size == CameraFile.size)
        #expect(response.byteCount == CameraFile.headByteCount)
    }

    @Test func `a caller that needs the image gets no thumbnail from memory`() async throws {
        let load = harness.load(request(url))
        await harness.transport.waitForStarts(1)
        sendBeginning(CameraFile.headByteCount)
        _ = try await load.result().get()

        let again = try await harness.load(request(url)).result().get()
        let exact = harness.load(request(url, options: []))
        await harness.transport.waitForStarts(2)
        harness.transport.respond(to: url, headers: ["etag": "\"w\""], chunks: [body])

        #expect(again.source == .memory && isThumbnail(again.image))
        #expect(try await !exact.result().get().image.isThumbnail)
        // Both kinds of requests now get the image itself.
        #expect(try await !harness.load(request(url)).result().get().image.isThumbnail)
    }

    @Test func `only the start of a local file is read`() async throws {
        let path = bench.root + "/camera.jpg"
        // The rest does not belong to an image.
        let beginning = Array(body.prefix(CameraFile.headByteCount))
        try Data(beginning + [UInt8](repeating: 0, count: 200_000)).write(
            to: URL(fileURLWithPath: path)
        )

        let response = try await harness.load(request("file://\(path)")).result().get()

        #expect(isThumbnail(response.image) && response.image.damage == nil)
        #expect(response.byteCount == CameraFile.headByteCount + 200_000)
        let exact = try await harness.load(request("file://\(path)", options: [])).result().get()
        #expect(!exact.image.isThumbnail)
    }

    #if HEIF
    @Test func `the first kilobytes of a phone's HEIC end the load`() async throws {
        let tests = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let path = "/\(tests)/DecodersTests/Fixtures/Camera/phone.heic"
        let file = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        let load = harness.load(request(url))
        await harness.transport.waitForStarts(1)
        sendBeginning(11_000, of: file)

        let response = try await load.result().get()

        #expect(response.image.isThumbnail && response.byteCount == 11_000)
        #expect(response.image.properties.size == PixelSize(width: 640, height: 480))
    }
    #endif

    @Test func `a small local file is read as usual`() async throws {
        let path = bench.root + "/small.png"
        let pixels = PixelBuffer(
            size: PixelSize(width: 2, height: 2),
            bytes: [UInt8](repeating: 255, count: 16),
            hasAlpha: false
        )
        try Data(PNGEncoder.encode(pixels)).write(to: URL(fileURLWithPath: path))

        let response = try await harness.load(request("file://\(path)")).result().get()

        #expect(!response.image.isThumbnail)
    }
}

/// A gray image with a slightly red thumbnail in its EXIF data.
enum CameraFile {
    static let size = PixelSize(width: 800, height: 600)
    /// The number of bytes up to the 72nd KiB of the coded data, with which the thumbnail is compared.
    static let headByteCount = (try? head().count) ?? 0

    /// The file, whose thumbnail is of another image if `thumbnailOrientation` is not 1.
    static func bytes(thumbnailOrientation: Int? = nil) throws -> [UInt8] {
        let segment = segment(thumbnailOrientation)
        let gray = (0..<size.pixelCount).flatMap { index -> [UInt8] in
            let stripe = stripe(at: index % size.width, of: size.width)
            let level = UInt8(100 + stripe + (index &* 7919) % 60)
            return [level, level, level, 255]
        }
        let picture = try JPEGEncoder.encode(
            PixelBuffer(size: size, bytes: gray, hasAlpha: false),
            quality: 95
        )
        let head = Array(picture[..<2]) + [0xFF, 0xE1] + number(segment.count + 2)
        return head + segment + Array(picture[2...])
    }

    /// Returns how much lighter a column is: an image without details would not be compared.
    private static func stripe(at column: Int, of width: Int) -> Int { column * 7 / width % 2 * 60 }

    private static func head() throws -> [UInt8] {
        let bytes = try bytes()
        let start = 4 + segment(nil).count
        let scan = bytes.indices.dropLast().first {
            $0 > start && bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA
        }
        return Array(bytes.prefix((scan ?? 0) + (72 << 10)))
    }

    /// Big endian: a directory with the orientation, one with the thumbnail, the thumbnail.
    private static func segment(_ thumbnailOrientation: Int?) -> [UInt8] {
        let side = PixelSize(width: 160, height: 120)
        // The pixels differ, because a segment of less than 2 KiB does not count as a thumbnail.
        let reddish = (0..<side.pixelCount).flatMap { index -> [UInt8] in
            let (x, y) = (index % side.width, index / side.width)
            let noise = (x * x * 31 + y * y * 17 + x * y * 7) % 20
            let level = UInt8(116 + stripe(at: x, of: side.width) + noise)
            return [level + 9, level, level, 255]
        }
        let image = PixelBuffer(size: side, bytes: reddish, hasAlpha: false)
        let thumbnail = (try? JPEGEncoder.encode(image, quality: 90)) ?? []
        func entry(_ tag: Int, _ type: Int, _ value: Int) -> [UInt8] {
            number(tag) + number(type) + [0, 0, 0, 1]
                + (type == 3 ? number(value) + [0, 0] : [0, 0] + number(value))
        }
        let first = number(1) + entry(0x0112, 3, 1) + [0, 0] + number(26)
        let orientation = thumbnailOrientation.map { entry(0x0112, 3, $0) } ?? []
        let (count, start) = (2 + orientation.count / 12, 56 + orientation.count)
        let second =
            number(count) + orientation + entry(0x0201, 4, start)
            + entry(0x0202, 4, thumbnail.count)
        return Array("Exif\0\0MM".utf8) + number(42) + [0, 0] + number(8) + first + second
            + [0, 0, 0, 0] + thumbnail
    }

    private static func number(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }
}
