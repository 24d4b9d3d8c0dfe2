import SystemSupport

/// A writer to which an `ImageDataSource` writes the bytes of one image.
///
/// The writer can be used on any thread, one call at a time.
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

    /// Announces the length of the body in bytes, for progress reports.
    ///
    /// The call has an effect only before the first `write`.
    public func announce(byteCount: Int) {
        phase.withLock { phase in
            if case .new = phase { phase = .new(expectedByteCount: max(0, byteCount)) }
        }
    }

    /// Appends bytes to the body.
    ///
    /// Calls must follow the order of the body and must not overlap.
    ///
    /// Bytes written after the task was cancelled or beyond the maximum body size are dropped.
    public func write(_ bytes: [UInt8]) {
        tell(phase.withLock { events(for: bytes, &$0) })
    }

    /// Whether the number of written bytes exceeds the maximum body size.
    var isTooLarge: Bool {
        phase.withLock {
            if case .begun(let count) = $0 { count > maximumByteCount } else { false }
        }
    }

    /// Ends the body, with an error unless `error` is nil; has no effect after `close`.
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

    /// Prevents all further events.
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
