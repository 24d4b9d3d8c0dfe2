import Decoders
package import Feeds
import Glibc
package import ImageLoading
package import ImageLoadingTesting
package import Logging

/// A manager on a scripted transport, and pictures for it.
package struct LoadingHarness: Sendable {
    package let transport = ScriptedTransport()
    package let manager: ImageManager

    /// A PNG of 3 by 2 pixels.
    package static let picture: [UInt8] = {
        let size = PixelSize(width: 3, height: 2)
        let pixels = PixelBuffer(
            size: size,
            bytes: Array(repeating: 255, count: 24),
            hasAlpha: false
        )
        return (try? PNGEncoder.encode(pixels)) ?? []
    }()

    package init(
        disk: DiskCacheConfiguration? = nil,
        logger: Logger? = nil,
        pressure: FakeMemoryPressure? = nil,
        clock: LoadingClock = .system,
        patience: Duration = .seconds(300),
        onNotice: (@Sendable (TransferNotice) -> Void)? = nil
    ) {
        var configuration = ImageManagerConfiguration()
        configuration.memoryPressure = pressure
        configuration.hooks.onNotice = onNotice
        configuration.downloader.patience = patience
        if let logger { configuration.logger = logger }
        configuration.disk = disk
        configuration.sources = ArchiveSources.all()
        configuration.memoryByteLimit = 1 << 20
        configuration.decodeThreadCount = 2
        // One that a test never answers would keep the manager for ever.
        configuration.downloader.maximumDetachedTransfers = 0
        manager = ImageManager(configuration: configuration, transport: transport, clock: clock)
    }

    /// Answers every transfer with the picture as it starts.
    package func answerEverything() {
        transport.answerStarts { _ in .body(Self.picture) }
    }

    package static func url(_ number: Int) -> String { "http://h.example/\(number).png" }

    /// Returns a feed with a number of images.
    package static func feed(_ count: Int) -> Feed {
        Feed(items: (0..<count).map { FeedItem(url: url($0), caption: "no\($0)") }, title: "test")
    }
}

extension ImageLoadingError {
    package static let notFound = ImageLoadingError(
        stage: .download,
        kind: .permanent,
        reason: .httpStatus(404)
    )
}

/// A pipe whose reading end is emptied by a thread, so that writers never wait.
///
/// It stays open: a number that is closed while someone still writes to it may by then be another
/// test's descriptor.
package final class Pipe: Sendable {
    package let readEnd: Int32
    package let writeEnd: Int32

    package init() {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    /// What `body` writes into the writing end.
    package func text(writtenBy body: (Int32) async -> Void) async -> String {
        let readEnd = readEnd
        async let bytes = blocking { Self.everything(from: readEnd) }
        await body(writeEnd)
        // A NUL ends it: closing would race with the descriptor's other users.
        write(writeEnd, [0], 1)
        return String(decoding: await bytes, as: UTF8.self)
    }

    private static func everything(from descriptor: Int32) -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while all.last != 0 {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return all }
            all += buffer.prefix(count)
        }
        return all.dropLast()
    }
}

/// Runs blocking work away from Swift's pool.
package func blocking<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        let pool = WorkerPool(name: "blocking", threadCount: 1)
        pool.submit(priority: .high) { continuation.resume(returning: work()) }
    }
}

/// Returns the captions of all items of a feed.
package func captions(_ feed: Feed) -> [String] { (0..<feed.count).map { feed[$0].caption } }
