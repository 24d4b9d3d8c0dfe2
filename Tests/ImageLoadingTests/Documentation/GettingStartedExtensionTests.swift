import Foundation
import ImageLoading
import ImageLoadingTesting
import Testing

/// The code of the article "Getting started" about sources, decoders and failures; `make lint`
/// compares it with this file.
@Suite struct GettingStartedExtensionTests {
    private let gray = PixelBuffer(
        size: PixelSize(width: 1, height: 1),
        bytes: [7, 7, 7, 255],
        hasAlpha: false
    )

    @Test func `a source and a decoder of the program's own work together`() async throws {
        var configuration = inMemory
        let members = ["zip:photos/1.png": Array("GREY".utf8) + [7]]

        configuration.sources["zip"] = Archive(members: members)
        let photo: ImageRequest = "zip:photos/1.png"

        configuration.decoders.register(GrayDecoder())

        let manager = ImageManager(configuration: configuration)
        let response = try await manager.response(for: photo)
        #expect(response.image.pixels == gray)
        #expect(response.image.properties.format.fileSuffixes == ["gray"])
        await #expect(throws: ImageLoadingError.self) {
            try await manager.response(for: "zip:photos/2.png")
        }
    }

    @Test func `a failed URL is replaced by another, and a hook ends the retries`() async throws {
        var configuration = inMemory
        configuration.sources["zip"] = Archive(members: ["zip:1": Array("GREY".utf8) + [7]])
        configuration.decoders.register(GrayDecoder())

        configuration.hooks.retryPause = { attempt in
            attempt.number < 3 ? attempt.usualPause : nil
        }

        let manager = ImageManager(configuration: configuration)
        let url = "zip:missing"
        let mirror = "zip:1"
        let broken = try await manager.response(for: "zip:1").image
        let view = Screen()
        let binding = ImageBinding(id: 0, view: view, manager: manager) { _ in }

        let mirrored = ImageRequest(url: url, alternatives: [mirror])
        binding.setImage(with: mirrored, failureImage: broken)

        #expect(try await manager.response(for: mirrored).image == broken)
    }

    @Test func `a processed image is found on disk by the next manager`() async throws {
        let folder = NSTemporaryDirectory() + "getting-started-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var configuration = ImageManagerConfiguration()
        configuration.disk = DiskCacheConfiguration(directory: folder)
        configuration.sources["zip"] = Archive(members: ["zip:1": Array("GREY".utf8) + [7]])
        configuration.decoders.register(GrayDecoder())
        let url = "zip:1"

        let backdrop = ImageRequest(
            url: url,
            options: .keepProcessedOnDisk,
            processors: [.blur(sigma: 8)]
        )

        let first = ImageManager(configuration: configuration)
        let blurred = try await first.response(for: backdrop)
        await first.flush()
        let second = ImageManager(configuration: configuration)
        let again = try await second.response(for: backdrop)
        #expect(again.image.pixels == blurred.image.pixels)
        #expect(again.source == .disk)
    }

    private var inMemory: ImageManagerConfiguration {
        var configuration = ImageManagerConfiguration()
        configuration.disk = nil
        return configuration
    }
}

private struct NoSuchMember: Error {}

private struct Archive: ImageDataSource {
    let members: [String: [UInt8]]

    func read(_ url: ImageURL, into body: ImageDataWriter) async throws {
        guard let bytes = members[url.absoluteString] else { throw NoSuchMember() }
        body.write(bytes)
    }
}

extension ImageFormat {
    fileprivate static let gray = ImageFormat(
        rawValue: "gray",
        displayName: "Gray",
        fileSuffixes: ["gray"],
        mediaTypes: ["image/x-gray"]
    )
}

private struct GrayDecoder: ImageDecoder {
    var format: ImageFormat { .gray }

    func canDecode(_ prefix: [UInt8]) -> Bool { prefix.starts(with: "GREY".utf8) }

    func probe(_ bytes: [UInt8]) throws(ImageDecodingError) -> ImageProperties {
        guard bytes.count >= 5 else { throw .truncated(format) }
        let size = PixelSize(width: 1, height: 1)
        return ImageProperties(
            format: format,
            size: size,
            orientation: 1,
            hasAlpha: false,
            isProgressive: false
        )
    }

    func decode(
        _ bytes: [UInt8],
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage {
        let properties = try probe(bytes)
        let pixel = [bytes[4], bytes[4], bytes[4], 255]
        let pixels = PixelBuffer(size: properties.size, bytes: pixel, hasAlpha: false)
        return DecodedImage(pixels: pixels, properties: properties)
    }
}

private final class Screen: ImageDisplaying {
    func display(_ image: DecodedImage?) {}
}
