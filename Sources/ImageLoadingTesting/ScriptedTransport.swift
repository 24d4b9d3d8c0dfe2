public import ImageLoading
internal import SystemSupport

/// A transport without a network: it records the requests, and the test sends the responses.
///
///     let transport = ScriptedTransport()
///     let downloader = ImageDownloader(transport: transport)
///     async let body = downloader.body(for: DownloadRequest(url: "http://a.example/1.jpg"))
///     await transport.waitForStarts(1)
///     transport.respond(to: "http://a.example/1.jpg", chunks: [[1, 2, 3]])
///
/// A transfer keeps running until the test ends it. Events are delivered on the test's thread,
/// before the call that sends them returns. The transport may be used on any thread, but the events
/// of one transfer must be sent from one thread at a time, because their order matters.
public final class ScriptedTransport: HTTPTransport {
    private struct Running: Sendable {
        let request: TransferRequest
        let onEvent: @Sendable (TransferEvent) -> Void
    }

    private struct Waiter {
        let id: Int
        let isMet: @Sendable (ScriptedTransportRecord) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var record = ScriptedTransportRecord()
        var running: [TransferID: Running] = [:]
        var waiters: [Waiter] = []
        var waiterCount = 0
        var answer: (@Sendable (TransferRequest) -> ScriptedAnswer?)?
    }

    private let state = Protected(State())

    /// Creates a transport that has not received any requests.
    public init() {}

    // MARK: Requests

    /// All recorded requests and cancellations.
    public var record: ScriptedTransportRecord { state.withLock { $0.record } }

    /// The requests that were started, in order.
    public var starts: [TransferRequest] { record.starts }

    /// The URLs of the running transfers.
    public var runningURLs: [String] {
        state.withLock { state in
            state.record.starts.filter { state.running[$0.id] != nil }.map(\.url)
        }
    }

    /// Waits until at least `count` transfers have been started, or until the task is cancelled.
    public func waitForStarts(_ count: Int) async {
        await wait { $0.starts.count >= count }
    }

    /// Waits until at least `count` running transfers have been cancelled, or until the task is
    /// cancelled.
    public func waitForCancels(_ count: Int) async {
        await wait { $0.cancelledURLs.count >= count }
    }

    private func wait(until isMet: @escaping @Sendable (ScriptedTransportRecord) -> Bool) async {
        let id = state.withLock { state in
            state.waiterCount += 1
            return state.waiterCount
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    if isMet(state.record) || Task.isCancelled { return false }
                    state.waiters.append(
                        Waiter(id: id, isMet: isMet, continuation: continuation)
                    )
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
            }
            waiter?.continuation.resume()
        }
    }

    // MARK: Answers

    /// Sets a closure that provides the response to each transfer started later.
    ///
    /// The closure is called on the thread that starts the transfer. If it returns nil, the
    /// transfer keeps running.
    public func answerStarts(_ answer: @escaping @Sendable (TransferRequest) -> ScriptedAnswer?) {
        state.withLock { $0.answer = answer }
    }

    /// Sends a complete response to the running transfers of a URL: the head, the chunks and the
    /// end.
    ///
    /// By default, `Content-Length` is the total length of the chunks. To omit it, pass
    /// `.some(nil)`.
    public func respond(
        to url: String,
        status: Int = 200,
        headers: [String: String] = [:],
        expectedByteCount: Int?? = nil,
        chunks: [[UInt8]] = []
    ) {
        let length = expectedByteCount ?? chunks.reduce(0) { $0 + $1.count }
        let head = TransferHead(status: status, expectedByteCount: length, headers: headers)
        deliver([.head(head)] + chunks.map { .chunk($0) } + [.finished(nil)], to: url)
    }

    /// Sends an event to the running transfers of a URL.
    public func send(_ event: TransferEvent, to url: String) {
        deliver([event], to: url)
    }

    /// Ends the running transfers of a URL successfully.
    public func finish(_ url: String) {
        send(.finished(nil), to: url)
    }

    /// Ends the running transfers of a URL with an error.
    public func fail(_ url: String, with error: ImageLoadingError) {
        send(.finished(error), to: url)
    }

    /// Delivers events to the running transfers of a URL.
    ///
    /// The transfers are selected before the first event is sent. Otherwise, a transfer that starts
    /// during delivery would receive only part of a response.
    private func deliver(_ events: [TransferEvent], to url: String) {
        let transfers = state.withLock { state in
            state.record.starts.compactMap { state.running[$0.id] }.filter { $0.request.url == url }
        }
        for transfer in transfers {
            for event in events { deliver(event, to: transfer) }
        }
    }

    /// Delivers an event, unless the transfer has been cancelled or has ended.
    private func deliver(_ event: TransferEvent, to transfer: Running) {
        let id = transfer.request.id
        let isRunning = state.withLock { state in
            defer { if case .finished = event { state.running[id] = nil } }
            return state.running[id] != nil
        }
        if isRunning { transfer.onEvent(event) }
    }

    // MARK: HTTPTransport

    /// Records the request, resumes waiting tests, and delivers the response from the closure set
    /// with `answerStarts`.
    public func start(
        _ request: TransferRequest,
        onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) {
        let running = Running(request: request, onEvent: onEvent)
        let answer = state.withLock { state in
            state.record.starts.append(request)
            state.running[request.id] = running
            return state.answer
        }
        resumeWaiters()
        guard let script = answer?(request) else { return }
        for event in script.events { deliver(event, to: running) }
    }

    /// Records the cancellation; if the transfer is not running, `strayCancelCount` is increased.
    public func cancel(_ id: TransferID) {
        state.withLock { state in
            guard let transfer = state.running.removeValue(forKey: id) else {
                state.record.strayCancelCount += 1
                return
            }
            state.record.cancelledURLs.append(transfer.request.url)
        }
        resumeWaiters()
    }

    private func resumeWaiters() {
        let met = state.withLock { state in
            let record = state.record
            let met = state.waiters.filter { $0.isMet(record) }
            state.waiters.removeAll { $0.isMet(record) }
            return met.map(\.continuation)
        }
        for continuation in met { continuation.resume() }
    }
}

/// A complete response for `ScriptedTransport.answerStarts`.
public struct ScriptedAnswer: Sendable {
    /// The events to send, in order; the last event should be `finished`.
    public var events: [TransferEvent]

    /// Creates a response from events.
    public init(events: [TransferEvent]) {
        self.events = events
    }

    /// Returns a response with a `Content-Length` and the whole body in one chunk.
    public static func body(_ bytes: [UInt8], status: Int = 200) -> ScriptedAnswer {
        let head = TransferHead(status: status, expectedByteCount: bytes.count)
        return ScriptedAnswer(events: [.head(head), .chunk(bytes), .finished(nil)])
    }

    /// Returns a response that fails before its head is delivered.
    public static func failure(_ error: ImageLoadingError) -> ScriptedAnswer {
        ScriptedAnswer(events: [.finished(error)])
    }
}

/// The requests and cancellations that a `ScriptedTransport` has received.
public struct ScriptedTransportRecord: Sendable {
    /// The requests that were started, in order.
    public internal(set) var starts: [TransferRequest] = []
    /// The URLs of the running transfers that were cancelled, in order.
    public internal(set) var cancelledURLs: [String] = []
    /// The number of calls to `cancel` for transfers that were not running.
    public internal(set) var strayCancelCount = 0
}
