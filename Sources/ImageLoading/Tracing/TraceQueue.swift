/// The events that wait to be written, of which there is a limit.
///
/// Pure.
struct TraceQueue: Sendable {
    /// What is written next: events, and how many are missing after them.
    struct Batch: Equatable, Sendable {
        var events: [TraceEvent] = []
        var droppedCount = 0
    }

    private let capacity: Int
    private var batch = Batch()
    /// Whether nothing more is taken.
    private(set) var isClosed = false

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// Adds an event, or counts it as dropped; whether somebody has to be woken for it.
    mutating func add(_ event: TraceEvent) -> Bool {
        guard !isClosed else { return false }
        // Once something is missing here, what comes after it waits for the next batch: the line
        // that tells of the gap then stands where the gap is.
        guard batch.droppedCount == 0, batch.events.count < capacity else {
            batch.droppedCount += 1
            return false
        }
        batch.events.append(event)
        return batch.events.count == 1
    }

    /// Everything that waits; nil if that is nothing.
    mutating func take() -> Batch? {
        guard !batch.events.isEmpty else { return nil }
        defer { batch = Batch() }
        return batch
    }

    mutating func close() {
        isClosed = true
    }
}
