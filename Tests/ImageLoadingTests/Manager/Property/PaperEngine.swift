import Decoders
import ImageLoadingTesting
import SystemSupport

@testable import ImageLoading

/// A simulated engine without threads: it uses the real tables of loads, failures and downloads,
/// and everything happens before a call returns.
///
/// It is a hundred times faster than an `ImageManager` with its threads, so that a hundred thousand
/// sequences can be tested. The image of URL n is n pixels wide.
final class PaperEngine: Sendable {
    struct Work: Sendable {
        let number: UInt64
        let listener: ListenerID
        let url: Int
        let generation: Int
    }

    private struct State {
        var loads = InFlightLoads<Key, LoadOperation, Work>()
        var works: [ListenerID: (key: Key, work: Work)] = [:]
        var downloads: DownloadQueueHarness
        var failures = FailureMemory(capacity: 4)
        var memory: [Int: ImageResponse] = [:]
        var generation = 0
        var begun = 0
        var endCount = 0

        /// Removes a task whose download has ended; the state is updated before the listeners are
        /// notified (open point a).
        mutating func takeEnded() -> ([LoadOperation], Result<ImageResponse, ImageLoadingError>)? {
            guard let listener = works.keys.first(where: { downloads.results[$0] != nil }),
                let (key, work) = works.removeValue(forKey: listener),
                let end = downloads.result(of: listener)
            else { return nil }
            let result = end.map { _ in PaperEngine.picture(work.url) }
            switch result {
            case .success(let response):
                if work.generation == generation { memory[work.url] = response }
                failures.forget(PaperEngine.addresses[work.url])
            case .failure(let error):
                let url = PaperEngine.addresses[work.url]
                failures.remember(error, for: url, at: downloads.now.uptime)
            }
            return (loads.finish(key, task: work.number), result)
        }
    }

    struct Key: Hashable, Sendable {
        let url: Int
        let isRefresh: Bool
    }

    /// The connection from an operation to the tables.
    private final class Owner: LoadOperationOwner {
        private weak let engine: PaperEngine?
        private let key: Key

        init(engine: PaperEngine, key: Key) {
            self.engine = engine
            self.key = key
        }

        func cancel(_ operation: LoadOperation) {
            engine?.cancel(operation, of: key)
        }

        func setPriority(_ priority: LoadPriority, of operation: LoadOperation) {}
    }

    private let state: Protected<State>

    init(seed: UInt64) {
        let downloads = DownloadQueueHarness(seed: seed) { configuration in
            configuration.maximumConcurrentTransfers = 2
            configuration.maximumAttempts = 1
            configuration.maximumDetachedTransfers = 0
        }
        state = Protected(State(downloads: downloads))
    }

    // MARK: Requests of bindings

    func begin(
        _ request: ImageRequest,
        _ onEvent: @escaping @Sendable (LoadEvent) -> Void
    ) -> ImageManager.StartResult {
        let url = Self.number(of: request.url)
        let isRefresh = request.options.contains(.refreshCached)
        let known = state.withLock { $0.memory[url] }
        if let known, !isRefresh { return .answered(.success(known)) }
        if !isRefresh, let failure = failure(of: request) { return .answered(.failure(failure)) }
        let key = Key(url: url, isRefresh: isRefresh)
        let operation = LoadOperation(request: request, onEvent: onEvent)
        operation.attach(to: Owner(engine: self, key: key))
        joinOrStart(key, operation)
        finishWhatEnded()
        return .running(operation, known: known)
    }

    private func failure(of request: ImageRequest) -> ImageLoadingError? {
        state.withLock { state in
            state.failures.error(for: Self.address(request.url), at: state.downloads.now.uptime)
        }
    }

    private func joinOrStart(_ key: Key, _ operation: LoadOperation) {
        let priority = operation.request.effectivePriority
        state.withLock { state in
            state.begun += 1
            if let joined = state.loads.join(key, as: operation, priority: priority) {
                state.downloads.setPriority(joined.priority, of: joined.work.listener)
                return
            }
            let listener = state.downloads.enqueue("http://h/\(key.url)", priority: priority)
            let generation = state.generation
            var started: Work?
            state.loads.start(key, as: operation, priority: priority) { number in
                let work = Work(
                    number: number,
                    listener: listener,
                    url: key.url,
                    generation: generation
                )
                started = work
                return work
            }
            state.works[listener] = started.map { (key, $0) }
        }
    }

    private func cancel(_ operation: LoadOperation, of key: Key) {
        let isUnknown = state.withLock { state in
            switch state.loads.leave(key, operation) {
            case .unknown: return true
            case .othersRemain(let work, let priority):
                state.downloads.setPriority(priority, of: work.listener)
            case .wasLast(let work):
                state.works[work.listener] = nil
                state.downloads.leave(work.listener)
            }
            return false
        }
        guard !isUnknown else { return }
        finish(operation, .failure(.cancelled))
        finishWhatEnded()
    }

    // MARK: Events

    func cancelAll() {
        for operation in state.withLock({ $0.loads.listenersNewestFirst }) { operation.cancel() }
    }

    func clear() {
        state.withLock { state in
            state.memory = [:]
            state.generation += 1
            state.failures.removeAll()
        }
    }

    func pass(_ duration: Duration) {
        state.withLock { $0.downloads.advance(by: duration) }
        finishWhatEnded()
    }

    /// Sends an event from one of the running transfers; returns whether there was one.
    @discardableResult
    func answer(
        isGood: Bool,
        _ random: inout SeededGenerator
    ) -> Bool {
        let running = state.withLock { $0.downloads.running.keys.map(\.rawValue).sorted() }
        guard let number = running.randomElement(using: &random) else { return false }
        let id = TransferID(rawValue: number)
        state.withLock { state in
            guard isGood else {
                let error = ImageLoadingError.transfer(.connectionLost, "")
                return state.downloads.send(.finished(error), to: id)
            }
            state.downloads.send(.head(TransferHead(status: 200, expectedByteCount: 1)), to: id)
            state.downloads.send(.chunk([1]), to: id)
            state.downloads.send(.finished(nil), to: id)
        }
        finishWhatEnded()
        return true
    }

    private func finishWhatEnded() {
        while let (operations, result) = state.withLock({ $0.takeEnded() }) {
            for operation in operations { finish(operation, result) }
        }
    }

    private func finish(
        _ operation: LoadOperation,
        _ result: Result<ImageResponse, ImageLoadingError>
    ) {
        guard operation.claimEnd() else { return }
        state.withLock { $0.endCount += 1 }
        operation.tell(result)
    }

    // MARK: Invariants at rest

    var fault: String? {
        state.withLock { state in
            if !state.loads.isEmpty { return "loads are left" }
            if !state.downloads.running.isEmpty { return "transfers are left" }
            if state.downloads.strayCancelCount > 0 { return "a dead transfer was cancelled" }
            if state.begun != state.endCount {
                return "\(state.begun) begun, \(state.endCount) ended"
            }
            return nil
        }
    }

    static func url(_ number: Int) -> String { "http://h/\(number)" }

    private static func address(_ url: String) -> ImageURL { addresses[number(of: url)] }

    fileprivate static let addresses = (0...9).compactMap {
        try? ImageURL(parsing: url($0), origin: .local)
    }

    static func number(of url: String) -> Int { url.utf8.last.map { Int($0) - 48 } ?? 0 }

    static func picture(_ number: Int) -> ImageResponse { pictures[number] }

    private static let pictures = (0...9).map { width in
        let size = PixelSize(width: width, height: 1)
        let bytes = [UInt8](repeating: 0, count: size.pixelCount * 4)
        return ImageResponse(
            image: DecodedImage(
                pixels: PixelBuffer(size: size, bytes: bytes, hasAlpha: false),
                properties: ImageProperties(
                    format: .png,
                    size: size,
                    orientation: 1,
                    hasAlpha: false,
                    isProgressive: false
                )
            ),
            source: .network,
            byteCount: 1,
            httpStatus: 200
        )
    }
}
