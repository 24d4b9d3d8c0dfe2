import Decoders
import GalleryCore
import ImageLoading
import ImageLoadingTesting
import Logging

@testable import TermGallery

/// A manager on a scripted transport, and pictures for it.
struct LoadingHarness: Sendable {
    let transport = ScriptedTransport()
    let manager: ImageManager

    /// A PNG of 3 by 2 pixels.
    static let picture: [UInt8] = {
        let size = PixelSize(width: 3, height: 2)
        let pixels = PixelBuffer(
            size: size,
            bytes: Array(repeating: 255, count: 24),
            hasAlpha: false
        )
        return (try? PNGEncoder.encode(pixels)) ?? []
    }()

    init(
        disk: DiskCacheConfiguration? = nil,
        logger: Logger? = nil,
        pressure: FakeMemoryPressure? = nil
    ) {
        var configuration = ImageManagerConfiguration()
        configuration.memoryPressure = pressure
        if let logger { configuration.logger = logger }
        configuration.disk = disk
        configuration.memoryByteLimit = 1 << 20
        configuration.decodeThreadCount = 2
        // One that a test never answers would keep the manager for ever.
        configuration.downloader.maximumDetachedTransfers = 0
        manager = ImageManager(configuration: configuration, transport: transport)
    }

    /// Answers every transfer with the picture as it starts.
    func answerEverything() {
        transport.answerStarts { _ in .body(Self.picture) }
    }

    static func url(_ number: Int) -> String { "http://h.example/\(number).png" }

    /// A feed of so many pictures.
    static func feed(_ count: Int) -> Feed {
        Feed(items: (0..<count).map { FeedItem(url: url($0), caption: "no\($0)") }, title: "test")
    }
}

extension ImageLoadingError {
    static let notFound = ImageLoadingError(
        stage: .download,
        kind: .permanent,
        reason: .httpStatus(404)
    )
}
