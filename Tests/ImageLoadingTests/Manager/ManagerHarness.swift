import Decoders
import ImageLoadingTesting
import SystemSupport

@testable import ImageLoading

/// A manager with a scripted transport, a manual clock, and a decoder for an invented format.
///
/// Loads that are still running are cancelled when the harness is released: a load without an
/// answer would otherwise keep the manager alive.
final class ManagerHarness: Sendable {
    let transport = ScriptedTransport()
    let clock = ManualClock()
    let manager: ImageManager

    init(
        disk: DiskCacheConfiguration? = nil,
        memoryByteLimit: Int = 1 << 20,
        decoders: [any ImageDecoder] = [],
        order: DownloaderConfiguration.Order = .firstInFirstOut,
        configure: (inout ImageManagerConfiguration) -> Void = { _ in }
    ) {
        var configuration = ImageManagerConfiguration()
        configuration.downloader.order = order
        configuration.disk = disk
        configuration.memoryByteLimit = memoryByteLimit
        configuration.decodeThreadCount = 2
        // Between attempts, the clock would have to be advanced.
        configuration.downloader.maximumAttempts = 1
        configuration.downloader.maximumDetachedTransfers = 0
        configuration.decoders.register(PatternDecoder())
        for decoder in decoders { configuration.decoders.register(decoder) }
        configure(&configuration)
        manager = ImageManager(
            configuration: configuration,
            transport: transport,
            clock: clock.clock
        )
    }

    deinit {
        manager.cancelAll()
    }

    /// Starts a load and records its events.
    func load(_ request: ImageRequest) -> RecordedLoad {
        let record = EventRecord()
        return RecordedLoad(operation: manager.load(request) { record.add($0) }, record: record)
    }

    /// A harness whose manager has hooks.
    convenience init(
        disk: DiskCacheConfiguration? = nil,
        hooks: (inout LoadingHooks) -> Void
    ) {
        self.init(disk: disk) { hooks(&$0.hooks) }
    }

    func load(_ url: String, options: LoadingOptions = []) -> RecordedLoad {
        load(ImageRequest(url: url, options: options))
    }

    /// Waits until a load has joined the transfer of another one.
    ///
    /// Before that, the first load can end alone, and its transfer with it.
    func waitForSharedTransfer() async {
        await waitWhile(manager.engine.downloader.statistics.coalesced < 1)
    }

    /// Answers every transfer with an image when it starts.
    func answerEverything() {
        transport.answerStarts { _ in .body(PatternDecoder.bytes(width: 2, height: 2)) }
    }
}

extension CacheBench {
    /// Returns the file names without the directory's own tag.
    func bodyNames() -> Set<String> { fileNames().subtracting(["CACHEDIR.TAG"]) }
}

struct RecordedLoad {
    let operation: LoadOperation
    let record: EventRecord

    /// Waits for the end of the load and returns its result.
    func result() async -> Result<ImageResponse, ImageLoadingError> { await record.result() }

    /// Waits until a number of bytes has been reported, for at most one minute.
    func waitForProgress(_ byteCount: Int) async {
        let end = ContinuousClock.now + .seconds(60)
        while record.progress.last?.received != byteCount, ContinuousClock.now < end {
            await Task.yield()
        }
    }
}

/// Records the events of one load, and lets tests wait for its end.
final class EventRecord: Sendable {
    private struct State {
        var events: [LoadEvent] = []
        var ends: [Result<ImageResponse, ImageLoadingError>] = []
        var waiter: CheckedContinuation<Result<ImageResponse, ImageLoadingError>, Never>?
    }

    private let state = Protected(State())

    var endCount: Int { state.withLock { $0.ends.count } }

    var progress: [LoadProgress] {
        state.withLock { state in
            state.events.compactMap { event in
                if case .progress(let progress) = event { progress } else { nil }
            }
        }
    }

    /// The images that were reported before the end.
    var images: [ImageResponse] {
        state.withLock { state in
            state.events.compactMap { event in
                if case .preview(let response) = event { response } else { nil }
            }
        }
    }

    func add(_ event: LoadEvent) {
        let resumption = state.withLock { state in
            state.events.append(event)
            guard case .finished(let result) = event else {
                return nil as (() -> Void)?
            }
            state.ends.append(result)
            let waiter = state.waiter
            state.waiter = nil
            return { @Sendable in waiter?.resume(returning: result) }
        }
        resumption?()
    }

    /// Waits for the end of the load.
    ///
    /// When the time limit of the test ends first, returns a cancellation, so that a load without
    /// an end fails its test and not the whole run.
    func result() async -> Result<ImageResponse, ImageLoadingError> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let end = state.withLock { state -> Result<ImageResponse, ImageLoadingError>? in
                    if let end = state.ends.first { return end }
                    if Task.isCancelled { return .failure(.cancelled) }
                    state.waiter = continuation
                    return nil
                }
                if let end { continuation.resume(returning: end) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume(returning: .failure(.cancelled))
        }
    }
}

/// A decoder for an invented format: "PATTERN", a width and a height; all pixels are equal.
struct PatternDecoder: ImageDecoder {
    static let magic = Array("PATTERN".utf8)

    static func bytes(width: UInt8, height: UInt8) -> [UInt8] { magic + [width, height] }

    /// Returns a file of three frames, each one pixel high.
    static func animation(width: UInt8) -> [UInt8] { magic + [width, 1, 3] }

    var format: ImageFormat { .png }

    func canDecode(_ prefix: [UInt8]) -> Bool { prefix.starts(with: Self.magic) }

    func probe(_ bytes: [UInt8]) throws(ImageDecodingError) -> ImageProperties {
        guard bytes.count >= 9 else { throw .truncated(.png) }
        return ImageProperties(
            format: .png,
            size: PixelSize(width: Int(bytes[7]), height: Int(bytes[8])),
            orientation: 1,
            hasAlpha: false,
            isProgressive: false,
            frameCount: bytes.count > 9 ? Int(bytes[9]) : 1
        )
    }

    func decode(
        _ bytes: [UInt8],
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage {
        let properties = try probe(bytes)
        if options.isCancelled() { throw .cancelled }
        let size = options.targetSize.map {
            properties.size.scaled(into: $0, mode: options.contentMode)
        }
        let result = size ?? properties.size
        let pixels = PixelBuffer(
            size: result,
            bytes: Array(repeating: 255, count: result.pixelCount * 4),
            hasAlpha: false
        )
        return DecodedImage(pixels: pixels, properties: properties)
    }
}
