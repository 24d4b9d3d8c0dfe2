import Decoders
import Foundation
import ImageLoadingTesting
import SystemSupport
import Testing

@testable import ImageLoading

/// A trial decode of the first bytes of a file doubles the cost of the file.
@Suite(.timeLimit(.minutes(5))) struct LocalDecodeCountTests {
    private let bench: CacheBench
    private let harness: ManagerHarness
    private let decodes = Protected<[Int]>([])

    init() throws {
        bench = try CacheBench()
        harness = ManagerHarness(decoders: [
            CountingDecoder(inner: JPEGDecoder(), byteCounts: decodes),
            CountingDecoder(inner: PNGDecoder(), byteCounts: decodes),
        ])
    }

    private static func noise(_ side: Int) -> PixelBuffer {
        var generator = SeededGenerator(seed: 1)
        let bytes = (0..<side * side).flatMap { _ -> [UInt8] in
            let random = generator.next()
            return [
                UInt8(truncatingIfNeeded: random), UInt8(truncatingIfNeeded: random >> 8), 90, 255,
            ]
        }
        let size = PixelSize(width: side, height: side)
        return PixelBuffer(size: size, bytes: bytes, hasAlpha: false)
    }

    private func load(_ bytes: [UInt8]) async throws -> DecodedImage {
        let path = bench.root + "/image"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let request = ImageRequest(
            url: "file://\(path)",
            targetSize: PixelSize(width: 40, height: 30),
            options: [.stopWhenSufficient, .acceptThumbnail]
        )
        return try await harness.load(request).result().get().image
    }

    @Test func `a local JPEG without a thumbnail is decoded once, as a whole`() async throws {
        let file = try JPEGEncoder.encode(Self.noise(400), quality: 95)
        #expect(file.count > 100_000)

        let image = try await load(file)

        #expect(!image.isThumbnail)
        #expect(decodes.withLock(\.self) == [file.count])
    }

    @Test func `a local PNG is decoded once, as a whole`() async throws {
        let file = try PNGEncoder.encode(Self.noise(400))
        #expect(file.count > 100_000)

        #expect(try await !load(file).isThumbnail)

        #expect(decodes.withLock(\.self) == [file.count])
    }

    @Test func `a camera's thumbnail is decoded once, from the first bytes`() async throws {
        let file = try CameraFile.bytes() + [UInt8](repeating: 0, count: 100_000)

        #expect(try await load(file).isThumbnail)

        #expect(decodes.withLock(\.count) == 1)
    }

    // Its orientation differs from the image's.
    @Test func `a thumbnail of another image costs no decode`() async throws {
        let file =
            try CameraFile.bytes(thumbnailOrientation: 6) + [UInt8](repeating: 0, count: 100_000)

        #expect(try await !load(file).isThumbnail)

        #expect(decodes.withLock(\.self) == [file.count])
    }
}

/// A decoder that records the number of bytes passed to each decode.
private struct CountingDecoder: ImageDecoder {
    let inner: any ImageDecoder
    let byteCounts: Protected<[Int]>

    var format: ImageFormat { inner.format }

    func canDecode(_ prefix: [UInt8]) -> Bool { inner.canDecode(prefix) }

    func probe(_ bytes: [UInt8]) throws(ImageDecodingError) -> ImageProperties {
        try inner.probe(bytes)
    }

    func decode(
        _ bytes: [UInt8],
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage {
        byteCounts.withLock { $0.append(bytes.count) }
        return try inner.decode(bytes, options: options)
    }
}
