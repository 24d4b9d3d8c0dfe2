internal import CSandbox
internal import Decoders
internal import Glibc

/// The reason why no helper process can be used.
struct HelperAbsence: Error {
    let reason: String
    /// Whether helpers will remain unavailable, so trying again is pointless.
    let isLasting: Bool
}

/// The reason why a helper returned no valid response.
enum HelperFault: Error {
    /// The caller no longer needs the response; the helper is ready for another request.
    case cancelled
    /// The caller no longer needs the response, and the helper did not stop in time after the
    /// cancellation.
    case stubborn
    /// The helper ended before it read the request, or the request could not be created.
    case unasked
    /// The helper ended or closed its socket.
    case ended
    /// The response is invalid.
    case garbled
    /// The helper exceeded the time limit.
    case late(Duration, limit: Duration)
}

/// A handle to a helper process that decodes images.
///
/// Only one thread may use it at a time. Calls block, but never longer than the limits allow.
final class DecoderHelper: Sendable {
    /// The interval between checks for cancellation, in milliseconds.
    private static let interval: Int32 = 5
    /// The time that a helper may take to stop after a cancellation.
    ///
    /// Decoding a few rows takes less time.
    private static let grace = Duration.milliseconds(100)

    /// The first message of the helper, which lists the rights that it has given up.
    let greeting: csandbox_greeting
    /// The group of decoders that the helper provides in addition to the lightweight decoders.
    let group: String?
    let process: csandbox_process
    private let socket: Int32
    private let answers: Int32
    // Proof for nonisolated(unsafe): the pointers never change, and `deinit` unmaps the memory. The
    // page is written atomically, the bodies only by the thread that uses the helper.
    nonisolated(unsafe) private let page: UnsafeMutableRawPointer
    // As above.
    nonisolated(unsafe) private let bodies: UnsafeMutableRawPointer

    /// Starts a helper and waits until it is ready.
    init(_ program: HelperProgram, _ purpose: HelperPurpose) throws(HelperAbsence) {
        if let obstacle = program.obstacle {
            throw HelperAbsence(reason: obstacle, isLasting: true)
        }
        group = purpose.group
        let parts = try HelperParts(program, purpose)
        (process, socket, answers) = (parts.process, parts.socket, parts.answers)
        (page, bodies) = (parts.page, parts.bodies)
        guard let greeting = Self.greeting(on: parts.socket, within: program.patience) else {
            let end = csandbox_reap(parts.process, 0)
            parts.release()
            let how = end.signal == SIGKILL ? "not a helper" : "exited immediately"
            throw HelperAbsence(reason: "\(program.path) \(how)", isLasting: true)
        }
        self.greeting = greeting
    }

    deinit {
        close(answers)
        csandbox_free_control(page)
        csandbox_free_bodies(bodies)
    }

    private static func greeting(
        on socket: Int32,
        within patience: Duration
    ) -> csandbox_greeting? {
        let end = ContinuousClock.now + patience
        while !csandbox_wait(socket, 100) {
            if ContinuousClock.now > end { return nil }
        }
        var greeting = csandbox_greeting()
        let size = MemoryLayout.size(ofValue: greeting)
        guard csandbox_receive(socket, &greeting, size) == size,
            greeting.magic == csandbox_magic
        else { return nil }
        return greeting
    }

    // MARK: Requests

    /// Sends a request and waits for the response.
    func answer(
        to request: csandbox_request,
        _ bytes: [UInt8],
        _ options: DecodingOptions
    ) throws(HelperFault) -> csandbox_answer {
        try send(request, bytes)
        try wait(for: request.number, options)
        var answer = csandbox_answer()
        let size = MemoryLayout.size(ofValue: answer)
        let count = csandbox_receive(socket, &answer, size)
        guard count > 0 else { throw .ended }
        guard count == size, answer.number == request.number else { throw .garbled }
        if options.isCancelled() { throw .cancelled }
        return answer
    }

    private func send(_ request: csandbox_request, _ bytes: [UInt8]) throws(HelperFault) {
        var request = request
        let size = MemoryLayout.size(ofValue: request)
        guard bytes.count > csandbox_bodies_byte_count else {
            bytes.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress else { return }
                bodies.copyMemory(from: start, byteCount: bytes.count)
            }
            guard csandbox_send(socket, &request, size, -1) == 0 else { throw .unasked }
            return
        }
        let body = bytes.withUnsafeBytes { bytes in
            bytes.baseAddress.map { csandbox_make_sealed_copy($0, bytes.count) } ?? -1
        }
        guard body >= 0 else { throw .unasked }
        defer { close(body) }
        guard csandbox_send(socket, &request, size, body) == 0 else { throw .unasked }
    }

    /// Waits until a response can be read.
    private func wait(
        for number: UInt64,
        _ options: DecodingOptions
    ) throws(HelperFault) {
        // If a response arrives within the first interval, the clock is not needed.
        if csandbox_wait(socket, Self.interval) { return }
        let watch = HelperWatch(self, limit: options.limits.maximumDuration)
        var end: ContinuousClock.Instant?
        while !csandbox_wait(socket, Self.interval) {
            if let end {
                if ContinuousClock.now > end { throw .stubborn }
            } else if options.isCancelled() {
                csandbox_cancel(page, number)
                end = ContinuousClock.now + Self.grace
            } else if let (spent, limit) = watch.excess {
                throw .late(spent, limit: limit)
            }
        }
    }

    /// Reads the content of a response; returns nil if it is incomplete.
    func content(byteCount: Int) -> [UInt8]? {
        // Filling an array of capacity 0 would write to the empty array that all threads share.
        guard byteCount > 0 else { return [] }
        var isWhole = false
        let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, filled in
            guard let start = buffer.baseAddress else { return }
            isWhole = csandbox_read(answers, start, byteCount, 0)
            filled = isWhole ? byteCount : 0
        }
        // Small responses overwrite each other; the memory of a large response is released.
        if byteCount > 4 << 20 { csandbox_empty(answers) }
        return isWhole ? bytes : nil
    }

    /// Whether the helper is waiting for a request, as an idle helper should.
    ///
    /// If so, there is nothing to read from its socket, not even the end of the stream.
    var isQuiet: Bool { !csandbox_wait(socket, 0) }

    /// The processor time that the helper has used; nil if unknown.
    var processorTime: Duration? {
        let time = csandbox_processor_time(process.process)
        return time < 0 ? nil : .nanoseconds(time)
    }

    /// Ends the process and returns how it ended.
    ///
    /// If `milliseconds` is 0, the process is killed immediately. Otherwise, it has that long to
    /// end on its own. Call this method only once.
    @discardableResult
    func end(waiting milliseconds: Int32 = 0) -> csandbox_end {
        if milliseconds == 0 { close(socket) }
        let end = csandbox_reap(process, milliseconds)
        if milliseconds != 0 { close(socket) }
        return end
    }
}

/// Detects when a helper takes too long to decode an image.
private struct HelperWatch {
    /// The factor by which the elapsed time may exceed the limit.
    ///
    /// On a busy machine, the process may have to wait for a processor.
    private static let slowness = 5.0

    private let helper: DecoderHelper
    private let limit: Duration
    private let start = ContinuousClock.now
    private let processorTime: Duration?

    init(_ helper: DecoderHelper, limit: Duration) {
        self.helper = helper
        self.limit = limit
        processorTime = helper.processorTime
    }

    /// The time spent and the limit that was exceeded; nil if no limit was exceeded.
    ///
    /// Decoders check the limit on processor time themselves. They get 25 % more time to report
    /// that they have exceeded it.
    var excess: (spent: Duration, limit: Duration)? {
        let passed = ContinuousClock.now - start
        guard passed > limit + limit / 4 else { return nil }
        if passed > limit * Self.slowness { return (passed, limit * Self.slowness) }
        guard let processorTime, let now = helper.processorTime else { return nil }
        let spent = now - processorTime
        return spent > limit + limit / 4 ? (spent, limit) : nil
    }
}
