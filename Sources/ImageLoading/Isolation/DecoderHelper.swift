internal import CSandbox
internal import Decoders
internal import Glibc

/// Why there is no helper.
struct HelperAbsence: Error {
    let reason: String
    /// Whether there will be none later either.
    let isLasting: Bool
}

/// Why a helper gave no answer.
enum HelperFault: Error {
    /// Nobody wants the answer any more; the helper is ready for another request.
    case cancelled
    /// As above, but the helper did not hear of it in time.
    case stubborn
    /// It was gone before it had read anything, or the request could not be made.
    case unasked
    /// It ended, or stopped listening.
    case ended
    /// Its answer is none.
    case garbled
    /// It took longer than it may.
    case late(Duration, limit: Duration)
}

/// A process that decodes, as the program sees it; used by one thread at a time.
///
/// Every call blocks, and none for longer than the limits say.
final class DecoderHelper: Sendable {
    /// How often a decode is asked whether it is still wanted.
    private static let interval: Int32 = 5
    /// How long a helper may go on with what is no longer wanted: longer than a few rows take.
    private static let grace = Duration.milliseconds(100)

    /// What it has given up.
    let greeting: csandbox_greeting
    /// Of the decoders it has.
    let group: String?
    let process: csandbox_process
    private let socket: Int32
    private let answers: Int32
    // Proof for nonisolated(unsafe): the addresses never change, and `deinit` unmaps what is there;
    // the page is written atomically, the bodies by the one thread that uses the helper.
    nonisolated(unsafe) private let page: UnsafeMutableRawPointer
    // As above.
    nonisolated(unsafe) private let bodies: UnsafeMutableRawPointer

    /// Starts one and waits until it is ready.
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

    // MARK: Asking

    /// Asks for an image and waits for the answer.
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

    /// Waits until there is something to read.
    private func wait(
        for number: UInt64,
        _ options: DecodingOptions
    ) throws(HelperFault) {
        // An answer that comes within the first interval asks no clock.
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

    /// Reads what came with an answer; nil if it isn't there.
    func content(byteCount: Int) -> [UInt8]? {
        // To fill no room at all would write to the empty array that all threads share.
        guard byteCount > 0 else { return [] }
        var isWhole = false
        let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, filled in
            guard let start = buffer.baseAddress else { return }
            isWhole = csandbox_read(answers, start, byteCount, 0)
            filled = isWhole ? byteCount : 0
        }
        // Small answers overwrite each other; the memory of a large one is not kept.
        if byteCount > 4 << 20 { csandbox_empty(answers) }
        return isWhole ? bytes : nil
    }

    /// Whether it waits for a request, as it should: there is nothing to read, not even its end.
    var isQuiet: Bool { !csandbox_wait(socket, 0) }

    /// Processor time so far.
    var processorTime: Duration? {
        let time = csandbox_processor_time(process.process)
        return time < 0 ? nil : .nanoseconds(time)
    }

    /// Ends the process, at once unless it is about to end by itself; says how it ended.
    ///
    /// To be called once.
    @discardableResult
    func end(waiting milliseconds: Int32 = 0) -> csandbox_end {
        if milliseconds == 0 { close(socket) }
        let end = csandbox_reap(process, milliseconds)
        if milliseconds != 0 { close(socket) }
        return end
    }
}

/// Whether a helper has worked too long on an image.
private struct HelperWatch {
    /// Time that passes while the process waits for a busy machine.
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

    /// What it took, and which limit that is beyond.
    ///
    /// Decoders keep the limit of processor time by themselves, and get a quarter more to say so.
    var excess: (spent: Duration, limit: Duration)? {
        let passed = ContinuousClock.now - start
        guard passed > limit + limit / 4 else { return nil }
        if passed > limit * Self.slowness { return (passed, limit * Self.slowness) }
        guard let processorTime, let now = helper.processorTime else { return nil }
        let spent = now - processorTime
        return spent > limit + limit / 4 ? (spent, limit) : nil
    }
}
