import SystemSupport

/// Writes the bytes of one image for an `ImageDataSource`.
///
/// The writer can be used on any thread, but by only one thread at a time.
public struct ImageDataWriter: Sendable {
    private enum Phase {
        case new(expectedByteCount: Int?)
        case begun(byteCount: Int)
        case ended
    }

    private let phase = Protected(Phase.new(expectedByteCount: nil))
    private let maximumByteCount: Int
    private let onEvents: @Sendable ([TransferEvent]) -> Void

    init(maximumByteCount: Int, onEvents: @escaping @Sendable ([TransferEvent]) -> Void) {
        self.maximumByteCount = maximumByteCount
        self.onEvents = onEvents
    }

    /// Announces the length of the body in bytes for progress reports.
    ///
    /// The call has no effect after the first `write`.
    public func announce(byteCount: Int) {
        phase.withLock { phase in
            if case .new = phase { phase = .new(expectedByteCount: max(0, byteCount)) }
        }
    }

    /// Appends bytes to the body.
    ///
    /// Write the bytes in the order of the body; calls must not overlap. Bytes are dropped if they
    /// exceed the maximum body size, or if the task was cancelled.
    public func write(_ bytes: [UInt8]) {
        tell(phase.withLock { events(for: bytes, &$0) })
    }

    /// Whether the number of written bytes exceeds the maximum body size.
    var isTooLarge: Bool {
        phase.withLock {
            if case .begun(let count) = $0 { count > maximumByteCount } else { false }
        }
    }

    /// Ends the body; if `error` is not nil, the transfer fails.
    ///
    /// Has no effect after `close`.
    func finish(_ error: ImageLoadingError?) {
        let events = phase.withLock { phase -> [TransferEvent] in
            // An empty body also needs a head.
            var events = self.events(for: [], &phase)
            if case .ended = phase { return [] }
            phase = .ended
            events.append(.finished(error))
            return events
        }
        tell(events)
    }

    private func tell(_ events: [TransferEvent]) {
        if !events.isEmpty { onEvents(events) }
    }

    /// Closes the writer, which then drops any more bytes and events.
    func close() {
        phase.withLock { $0 = .ended }
    }

    private func events(for bytes: [UInt8], _ phase: inout Phase) -> [TransferEvent] {
        var events: [TransferEvent] = []
        if case .new(let expected) = phase {
            phase = .begun(byteCount: 0)
            events.append(.head(TransferHead(status: 200, expectedByteCount: expected)))
        }
        guard case .begun(let count) = phase, count <= maximumByteCount else { return events }
        phase = .begun(byteCount: count + bytes.count)
        if !bytes.isEmpty, count + bytes.count <= maximumByteCount { events.append(.chunk(bytes)) }
        return events
    }
}
