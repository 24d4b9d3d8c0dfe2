@testable import ImageLoading
import ImageLoadingTesting
import SystemSupport

/// Executes the actions of a `DownloadQueue` in memory, so that tests can inspect the result.
struct DownloadQueueHarness {
    private(set) var queue: DownloadQueue
    /// URLs in the order in which their transfers started.
    private(set) var startedURLs: [String] = []
    private(set) var cancelledURLs: [String] = []
    /// The transfers that were started and have neither ended nor been cancelled.
    private(set) var running: [TransferID: TransferRequest] = [:]
    private(set) var events: [ListenerID: [DownloadEvent]] = [:]
    private(set) var results: [ListenerID: [Result<DownloadedBody, ImageLoadingError>]] = [:]
    /// The number of cancellations of transfers that were not running.
    private(set) var strayCancelCount = 0
    /// The current time, which only `advance` changes.
    private(set) var now = Moment()
    private(set) var partials: [(request: DownloadRequest, partial: PartialBody)] = []
    private(set) var bodies: [(request: DownloadRequest, body: DownloadedBody)] = []
    private(set) var notices: [TransferNotice] = []
    private(set) var traced: [(kind: TraceEvent.Kind, subject: String)] = []
    private var wakes = Agenda<Duration>()
    private var lastListener: UInt64 = 0

    init(seed: UInt64 = 1, configure: (inout DownloaderConfiguration) -> Void = { _ in }) {
        var configuration = DownloaderConfiguration()
        configure(&configuration)
        queue = DownloadQueue(
            configuration: configuration,
            random: SeededGenerator(seed: seed),
            isTraced: true
        )
    }

    var runningURLs: Set<String> { Set(running.values.map(\.url)) }
    var statistics: DownloaderStatistics { queue.statistics(at: now.uptime) }
    /// The time at which the queue must be woken next.
    var nextWake: Duration? { wakes.next }

    mutating func enqueue(
        _ url: String,
        priority: LoadPriority = .normal,
        headers: [HeaderField] = []
    ) -> ListenerID {
        enqueue(DownloadRequest(url: url, priority: priority, headers: headers))
    }

    mutating func enqueue(_ request: DownloadRequest) -> ListenerID {
        lastListener += 1
        let listener = ListenerID(rawValue: lastListener)
        perform(queue.enqueue(listener, request, priority: request.priority))
        return listener
    }

    mutating func leave(_ listener: ListenerID) {
        perform(queue.leave(listener))
    }

    /// Ends the wait of a listener early, and returns whether the listener has ended.
    mutating func finishEarly(_ listener: ListenerID) -> Bool {
        guard let actions = queue.finishEarly(listener) else { return false }
        perform(actions)
        return true
    }

    mutating func setPriority(_ priority: LoadPriority, of listener: ListenerID) {
        queue.setPriority(priority, of: listener)
    }

    mutating func reserve(_ numbers: UInt64..., priority: LoadPriority = .high) {
        for number in numbers { queue.reserve(number, priority: priority) }
    }

    mutating func release(_ number: UInt64) {
        perform(queue.release(number))
    }

    mutating func setWidth(_ width: Int) {
        perform(queue.setWidth(width))
    }

    mutating func setSuspended(_ isSuspended: Bool) {
        perform(queue.setSuspended(isSuspended))
    }

    mutating func cancelAll() {
        perform(queue.cancelAll())
    }

    mutating func clearUnavailableHosts() {
        perform(queue.clearUnavailableHosts())
    }

    /// Advances both clocks, and wakes the queue only at the times that it requested.
    mutating func advance(by duration: Duration) {
        let end = now.uptime + duration
        while let wake = wakes.next, wake <= end {
            now.uptime = max(now.uptime, wake)
            for _ in wakes.takeDue(at: now.uptime) {
                perform(queue.advance(to: now))
                perform(queue.wakeUp())
            }
        }
        now.uptime = end
        now.wallTime = Int(end.components.seconds)
        // Every call of the downloader does this before it changes anything.
        perform(queue.advance(to: now))
    }

    /// Sends an event from the running transfer of a URL.
    mutating func send(_ event: TransferEvent, to url: String) {
        guard let id = running.first(where: { $0.value.url == url })?.key else { return }
        send(event, to: id)
    }

    mutating func send(_ event: TransferEvent, to id: TransferID) {
        if case .finished = event { running[id] = nil }
        perform(queue.receive([event], of: id))
    }

    /// Sends several events at once from the running transfer of a URL.
    mutating func send(_ events: [TransferEvent], to url: String) {
        guard let id = running.first(where: { $0.value.url == url })?.key else { return }
        for case .finished in events { running[id] = nil }
        perform(queue.receive(events, of: id))
    }

    /// Sends a complete response, by default a successful one.
    mutating func respond(to url: String, body: [UInt8] = [1, 2, 3], status: Int = 200) {
        send(.head(TransferHead(status: status, expectedByteCount: body.count)), to: url)
        if !body.isEmpty { send(.chunk(body), to: url) }
        send(.finished(nil), to: url)
    }

    func result(of listener: ListenerID) -> Result<DownloadedBody, ImageLoadingError>? {
        results[listener]?.first
    }

    func error(of listener: ListenerID) -> ImageLoadingError? {
        guard case .failure(let error) = result(of: listener) else { return nil }
        return error
    }

    /// Returns the trace events of a URL or host.
    func trace(of subject: String) -> [TraceEvent.Kind] {
        traced.filter { $0.subject == subject }.map(\.kind)
    }

    private mutating func perform(_ actions: [DownloadAction]) {
        for action in actions {
            switch action {
            case .start(let request):
                startedURLs.append(request.url)
                running[request.id] = request
            case .cancel(let id):
                guard let request = running.removeValue(forKey: id) else {
                    strayCancelCount += 1
                    continue
                }
                cancelledURLs.append(request.url)
            case .notify(let listener, let event):
                events[listener, default: []].append(event)
            case .finish(let listener, let result):
                results[listener, default: []].append(result)
            case .askForPause:
                preconditionFailure("the queue was made without a hook")
            case .wake(let time):
                wakes.add(time, at: time)
            case .keepPartial(let request, let partial):
                partials.append((request, partial))
            case .keepBody(let request, let body):
                bodies.append((request, body))
            case .tell(let notice):
                notices.append(notice)
            case .trace(let kind, let subject):
                traced.append((kind, subject))
            }
        }
    }
}

/// Lets a test wait until an event has occurred a number of times.
final class Gathering: Sendable {
    private struct State {
        var count = 0
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Protected(State())

    func note() {
        let met = state.withLock { state in
            state.count += 1
            let count = state.count
            let met = state.waiters.filter { $0.count <= count }.map(\.continuation)
            state.waiters.removeAll { $0.count <= count }
            return met
        }
        for continuation in met { continuation.resume() }
    }

    func wait(for count: Int) async {
        await withCheckedContinuation { continuation in
            let isMet = state.withLock { state in
                if state.count >= count { return true }
                state.waiters.append((count, continuation))
                return false
            }
            if isMet { continuation.resume() }
        }
    }
}
