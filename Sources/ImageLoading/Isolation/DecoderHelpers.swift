internal import CSandbox
internal import Decoders
internal import Glibc
internal import Synchronization

/// The helpers of a manager: started when they are needed, kept for a while, replaced when they die.
///
/// Thread-safe. A call blocks its thread, one of the decode pool's, for as long as the decode takes;
/// so there are never more helpers at work than such threads, nor more that wait. Helpers die with the
/// thread that started them, which lives as long as the pool.
final class DecoderHelpers: Sendable {
    /// How long a helper is kept without work.
    static let idleTime = Duration.seconds(30)
    /// Fewer files than this are needed for transfers.
    private static let descriptorCount = 64

    private struct State {
        var idle: [(helper: DecoderHelper, since: Duration)] = []
        var culprits = CulpritTable()
        /// Why there will never be any.
        var absence: String?
        var awaitsAlarm = false

        /// The last of the group that was given back.
        mutating func takeIdle(_ group: String?) -> DecoderHelper? {
            let index = idle.lastIndex { $0.helper.group == group }
            return index.map { idle.remove(at: $0).helper }
        }
    }

    private let state = Protected(State())
    private let requestNumber = Atomic<UInt64>(0)
    private let program: HelperProgram
    private let limits: HelperLimits
    private let maximumIdleCount: Int
    private let isRequired: Bool
    private let clock: LoadingClock

    init(_ configuration: ImageManagerConfiguration, clock: LoadingClock) {
        program = configuration.helperProgram
        limits = HelperLimits(configuration)
        maximumIdleCount = max(1, configuration.decodeThreadCount)
        isRequired = configuration.isolation == .always
        self.clock = clock
    }

    deinit {
        for idle in state.withLock({ $0.idle }) { idle.helper.end() }
    }

    /// The processes that wait for work.
    var idleProcesses: [pid_t] { state.withLock { $0.idle.map(\.helper.process.process) } }

    /// Has a task done by a helper; nil if there is none and the program is to do it itself.
    func image(for task: HelperTask) throws(ImageDecodingError) -> DecodedImage? {
        guard !task.bytes.isEmpty else { throw .empty }
        if let text = state.withLock({ $0.culprits.crime(of: task.bytes) }) {
            throw .decoderCrashed("\(text) twice; not retried")
        }
        // A helper that died while it waited has nothing to do with these bytes.
        for _ in 0..<2 {
            let helper: DecoderHelper
            do throws(HelperAbsence) {
                helper = try takeHelper(task.group)
            } catch {
                if isRequired { throw .isolationUnavailable(error.reason) }
                return nil
            }
            let result: Result<DecodedImage?, ImageDecodingError>
            do throws(HelperFault) {
                result = try perform(task, with: helper)
            } catch .unasked {
                helper.end()
                continue
            } catch {
                throw decodingError(error, task, helper)
            }
            return try result.get()
        }
        if isRequired { throw .isolationUnavailable("helpers end by themselves") }
        return nil
    }
}

// MARK: - A task

extension DecoderHelpers {
    /// Gives the helper back unless it throws.
    private func perform(
        _ task: HelperTask,
        with helper: DecoderHelper
    ) throws(HelperFault) -> Result<DecodedImage?, ImageDecodingError> {
        var request = csandbox_request(
            task.options,
            byteCount: task.bytes.count,
            probes: task.probes
        )
        request.number = requestNumber.add(1, ordering: .relaxed).newValue
        let answer = try helper.answer(to: request, task.bytes, task.options)
        guard answer.status == 0 else {
            guard let error = answer.error(format: task.format) else { throw .garbled }
            giveBack(helper)
            guard case .isolationUnavailable = error, !isRequired else { return .failure(error) }
            return .success(nil)
        }
        let limits = task.options.limits
        guard let properties = answer.properties(format: task.format, limits: limits),
            let byteCount = answer.contentByteCount(limits: limits),
            let content = helper.content(byteCount: byteCount)
        else { throw .garbled }
        giveBack(helper)
        return .success(answer.image(properties, content))
    }

    /// What a fault means for the image; ends the helper if it is no longer to be trusted.
    private func decodingError(
        _ fault: HelperFault,
        _ task: HelperTask,
        _ helper: DecoderHelper
    ) -> ImageDecodingError {
        switch fault {
        case .cancelled:
            giveBack(helper)
            return .cancelled
        case .stubborn, .unasked:
            helper.end()
            return .cancelled
        case .ended:
            return note(death(of: helper, task), task)
        case .garbled:
            helper.end()
            return note(.decoderCrashed("invalid response"), task)
        case .late(let spent, let limit):
            helper.end()
            return note(.tooMuchTime(spent, limit: limit), task)
        }
    }

    private func death(of helper: DecoderHelper, _ task: HelperTask) -> ImageDecodingError {
        // Its socket closes a moment before it has ended; one that closed it itself is killed.
        let end = helper.end(waiting: 1_000)
        let limits = task.options.limits
        switch (end.signal, end.status) {
        case (0, Int32(csandbox_exit_memory)):
            // How much was asked for is not told.
            let limit = limits.maximumByteCount
            return .tooMuchMemory(byteCount: limit, limit: limit)
        case (0, -1): return .decoderCrashed("reason unknown")
        case (0, let status): return .decoderCrashed("exit status \(status)")
        case (SIGXCPU, _):
            return .tooMuchTime(limits.maximumDuration, limit: limits.maximumDuration)
        case (SIGSYS, _): return .decoderCrashed("SIGSYS: forbidden system call")
        case (let signal, _):
            return .decoderCrashed(String(cString: csandbox_signal_name(signal)))
        }
    }

    private func note(_ error: ImageDecodingError, _ task: HelperTask) -> ImageDecodingError {
        let text =
            if case .decoderCrashed(let text) = error { text } else { error.description }
        state.withLock { $0.culprits.note(text, of: task.bytes) }
        return error
    }
}

// MARK: - Helpers

extension DecoderHelpers {
    /// One of the group that waits for work, or another.
    private func takeHelper(_ group: String?) throws(HelperAbsence) -> DecoderHelper {
        while let helper = state.withLock({ $0.takeIdle(group) }) {
            if helper.isQuiet { return helper }
            helper.end()
        }
        // Those of other groups make room.
        let surplus = state.withLock { state in
            state.idle.count >= maximumIdleCount ? state.idle.removeFirst().helper : nil
        }
        surplus?.end()
        if let absence = state.withLock({ $0.absence }) {
            throw HelperAbsence(reason: absence, isLasting: true)
        }
        do throws(HelperAbsence) {
            try checkDescriptors()
            let helper = try DecoderHelper(
                program,
                HelperPurpose(limits: limits, group: group)
            )
            guard !isRequired || helper.greeting.has_filter else {
                helper.end()
                let reason = "system calls cannot be filtered; install libseccomp2"
                throw HelperAbsence(reason: reason, isLasting: true)
            }
            return helper
        } catch {
            if error.isLasting { state.withLock { $0.absence = error.reason } }
            throw error
        }
    }

    /// Where few files may be open, transfers need them more.
    private func checkDescriptors() throws(HelperAbsence) {
        var limit = rlimit()
        guard !isRequired, getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
            limit.rlim_cur < Self.descriptorCount
        else { return }
        let reason = "only \(limit.rlim_cur) files may be open (ulimit -n)"
        throw HelperAbsence(reason: reason, isLasting: true)
    }

    private func giveBack(_ helper: DecoderHelper) {
        // The kernel's limit is for its whole life.
        if let time = helper.processorTime, time > .seconds(limits.seconds) / 2 {
            helper.end()
            return
        }
        let now = clock.uptime()
        let needsAlarm = state.withLock { state in
            state.idle.append((helper, now))
            defer { state.awaitsAlarm = true }
            return !state.awaitsAlarm
        }
        if needsAlarm { setAlarm(at: now + Self.idleTime) }
    }

    private func setAlarm(at time: Duration) {
        clock.notify(at: time) { [weak self] in self?.endIdle() }
    }

    /// Ends all that have nothing to do, and waits for that.
    func endAll() {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        for (helper, _) in idle { helper.end() }
    }

    /// Ends those that have had nothing to do for long; looks again while there are others.
    private func endIdle() {
        let now = clock.uptime()
        let (old, next) = state.withLock { state in
            let old = state.idle.filter { now - $0.since >= Self.idleTime }
            state.idle.removeAll { now - $0.since >= Self.idleTime }
            state.awaitsAlarm = !state.idle.isEmpty
            return (old.map(\.helper), state.idle.first.map { $0.since + Self.idleTime })
        }
        if let next { setAlarm(at: next) }
        guard !old.isEmpty else { return }
        // To wait for an end takes longer than a clock's thread has.
        let ending: @Sendable () -> Void = { for helper in old { helper.end() } }
        if !POSIXThread.startDetached(name: "decoder-end", body: ending) { ending() }
    }
}

/// The bodies that ended helpers.
///
/// Pure.
struct CulpritTable: Sendable {
    /// So many times a body may try.
    private static let patience = 2
    /// So many bodies are remembered, the latest.
    private static let capacity = 256

    private var crimes: [ContentChecksum: (count: Int, text: String)] = [:]
    private var order: [ContentChecksum] = []
    /// Most bodies need not be read to see that they are none of these.
    private var byteCounts: [Int: Int] = [:]

    /// What a body did the last time, if it is not to be tried again.
    func crime(of bytes: [UInt8]) -> String? {
        guard byteCounts[bytes.count] != nil, let crime = crimes[ContentChecksum(of: bytes)],
            crime.count >= Self.patience
        else { return nil }
        return crime.text
    }

    mutating func note(_ text: String, of bytes: [UInt8]) {
        let checksum = ContentChecksum(of: bytes)
        if let crime = crimes[checksum] {
            crimes[checksum] = (crime.count + 1, text)
            return
        }
        if order.count == Self.capacity {
            let oldest = order.removeFirst()
            crimes[oldest] = nil
            byteCounts[Int(oldest.byteCount), default: 1] -= 1
            if byteCounts[Int(oldest.byteCount)] == 0 { byteCounts[Int(oldest.byteCount)] = nil }
        }
        crimes[checksum] = (1, text)
        order.append(checksum)
        byteCounts[Int(checksum.byteCount), default: 0] += 1
    }
}
