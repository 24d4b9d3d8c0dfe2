import SystemSupport

/// The number of events in a trace and the reason it is incomplete, if any.
public struct TraceSummary: Hashable, Sendable {
    /// The number of events in the file.
    public internal(set) var writtenCount = 0
    /// The number of events that are missing from the file.
    ///
    /// These events were recorded faster than they could be written, or writing failed.
    public internal(set) var droppedCount = 0
    /// The reason why writing failed; nil if there was no error.
    public internal(set) var failure: String?
}

/// Writes trace events to a file, one JSON object per line.
///
/// `Documentation/Trace.md` describes the format:
///
///     let trace = try TraceWriter(path: "trace.jsonl")
///     configuration.trace = { trace.record($0) }
///     …
///     trace.finish()
///
/// `record` takes less than a microsecond on any thread and never waits. The writer's own thread
/// converts the events to text and writes them immediately. If this thread cannot keep up, events
/// are dropped, and a line reports how many events are missing at that point.
public final class TraceWriter: Sendable {
    /// The maximum number of events waiting to be written; they take about 2 MB.
    static let standardCapacity = 8192
    /// How many times to wait 0.1 s for a pipe's reader after the trace is closed.
    private static let lastTries = 10

    private struct State {
        var queue: TraceQueue
        var summary = TraceSummary()
        var hasEnded = false
    }

    /// The state that the writer shares with its thread.
    ///
    /// The thread does not retain the writer, so releasing the writer ends the thread.
    private let state: Monitor<State>
    private let clock: LoadingClock

    /// Creates the file or empties an existing file, and starts the thread.
    public convenience init(path: String) throws(TraceFileError) {
        try self.init(path: path, capacity: Self.standardCapacity, clock: .system)
    }

    init(path: String, capacity: Int, clock: LoadingClock) throws(TraceFileError) {
        let file = try TraceFile(path: path)
        let state = Monitor(State(queue: TraceQueue(capacity: capacity)))
        self.state = state
        self.clock = clock
        let isStarted = POSIXThread.startDetached(name: "trace") { Self.run(state, file, clock) }
        guard isStarted else { throw TraceFileError(path: path, reason: "no thread left") }
    }

    deinit {
        state.withLock(waking: .all) { $0.queue.close() }
    }

    /// Records an event; may be called on any thread.
    public func record(_ event: TraceEvent) {
        // Waking the thread costs a system call if it is sleeping, which is only when everything
        // has been written.
        let isFirst = state.withLock { $0.queue.add(event) }
        if isFirst { state.withLock(waking: .all) { _ in } }
    }

    /// Writes all waiting events, ends the trace, and returns its result.
    ///
    /// Blocks the calling thread until the file is complete, or for about a second if the reader
    /// has stopped. Later events are ignored. Repeated calls return the same result.
    @discardableResult
    public func finish() -> TraceSummary {
        state.withLock(waking: .all) { $0.queue.close() }
        return state.wait { state in state.hasEnded ? state.summary : nil }
    }

    // MARK: The thread

    private static func run(_ state: Monitor<State>, _ file: TraceFile, _ clock: LoadingClock) {
        var tries = lastTries
        let goesOn = {
            guard state.withLock({ $0.queue.isClosed }) else { return true }
            tries -= 1
            return tries > 0
        }
        let start = TraceLine.start(clock.uptime(), wallTime: clock.wallTime())
        let problem = write([start], file, goesOn)
        state.withLock { $0.summary.failure = problem }
        while let batch = nextBatch(state) {
            let failure = state.withLock { $0.summary.failure }
            let lines = failure == nil ? lines(of: batch, clock) : []
            let problem = failure ?? write(lines, file, goesOn)
            state.withLock { $0.summary.take(batch, problem) }
        }
        let summary = state.withLock { $0.summary }
        if summary.failure == nil {
            _ = write([TraceLine.end(clock.uptime(), summary)], file, goesOn)
        }
        state.withLock(waking: .all) { $0.hasEnded = true }
    }

    private static func nextBatch(_ state: Monitor<State>) -> TraceQueue.Batch? {
        state.wait { state -> TraceQueue.Batch?? in
            if let batch = state.queue.take() { return .some(batch) }
            return state.queue.isClosed ? .some(nil) : nil
        }
    }

    private static func lines(of batch: TraceQueue.Batch, _ clock: LoadingClock) -> [[UInt8]] {
        let lines = batch.events.map(TraceLine.text)
        guard batch.droppedCount > 0 else { return lines }
        return lines + [TraceLine.gap(clock.uptime(), count: batch.droppedCount)]
    }

    /// Writes several lines together, in one call.
    private static func write(
        _ lines: [[UInt8]],
        _ file: TraceFile,
        _ goesOn: () -> Bool
    ) -> String? {
        var bytes: [UInt8] = []
        for line in lines { bytes += line + [UInt8(ascii: "\n")] }
        return file.write(bytes, goesOn: goesOn)
    }
}

extension TraceSummary {
    fileprivate mutating func take(_ batch: TraceQueue.Batch, _ problem: String?) {
        failure = problem
        droppedCount += batch.droppedCount
        if problem == nil {
            writtenCount += batch.events.count
        } else {
            droppedCount += batch.events.count
        }
    }
}

/// A bounded queue of events waiting to be written.
///
/// This type has no side effects.
struct TraceQueue: Sendable {
    /// The next events to write and the number of events that were dropped after them.
    struct Batch: Equatable, Sendable {
        var events: [TraceEvent] = []
        var droppedCount = 0
    }

    private let capacity: Int
    private var batch = Batch()
    private(set) var isClosed = false

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// Adds an event or counts it as dropped, and returns whether the thread must be woken.
    mutating func add(_ event: TraceEvent) -> Bool {
        guard !isClosed else { return false }
        // After a dropped event, later events wait for the next batch, so the line about the gap is
        // written at the right position.
        guard batch.droppedCount == 0, batch.events.count < capacity else {
            batch.droppedCount += 1
            return false
        }
        batch.events.append(event)
        return batch.events.count == 1
    }

    /// Removes and returns all waiting events, or returns nil if no event is waiting.
    mutating func take() -> Batch? {
        guard !batch.events.isEmpty else { return nil }
        defer { batch = Batch() }
        return batch
    }

    mutating func close() {
        isClosed = true
    }
}
