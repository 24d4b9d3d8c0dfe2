internal import CSandbox
internal import Decoders
internal import Glibc
internal import Synchronization
internal import SystemSupport

/// The helper processes of a manager.
///
/// They are started on demand, kept for `idleTime` after their last task, and replaced if they end.
///
/// The class is thread-safe. A call blocks its thread, which belongs to the decode pool, until the
/// image is decoded. Therefore, neither the working nor the idle helpers ever outnumber these
/// threads. A helper ends with the thread that started it, which lives as long as the pool.
final class DecoderHelpers: Sendable {
    /// How long an idle helper is kept.
    static let idleTime = Duration.seconds(30)
    /// The number of open files that transfers need.
    ///
    /// If the process may open fewer files, no helper is started unless helpers are required.
    private static let descriptorCount = 64

    private struct State {
        var idle: [(helper: DecoderHelper, since: Duration)] = []
        var culprits = CulpritTable()
        /// The reason why no helper can ever be started; nil if none is known.
        var absence: String?
        var awaitsAlarm = false

        /// Removes and returns the most recently used idle helper of a group.
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

    /// The process IDs of the idle helpers.
    var idleProcesses: [pid_t] { state.withLock { $0.idle.map(\.helper.process.process) } }

    /// Decodes an image, or reads its header, in a helper.
    ///
    /// Returns nil if no helper is available; the caller must then perform the task in this
    /// process.
    func image(for task: HelperTask) throws(ImageDecodingError) -> DecodedImage? {
        try result(of: task) { answer, helper in
            let limits = task.options.limits
            guard let properties = answer.properties(format: task.format, limits: limits),
                let byteCount = answer.contentByteCount(limits: limits),
                let content = helper.content(byteCount: byteCount)
            else { return nil }
            return answer.image(properties, content)
        }
    }

    /// Reads the metadata of a file in a helper; returns nil if no helper is available.
    func metadata(
        of file: [UInt8],
        limits: DecodingLimits
    ) throws(ImageDecodingError) -> ImageMetadata? {
        let task = HelperTask(
            bytes: file,
            format: .jpeg,
            group: MetadataReader.helperGroup,
            options: DecodingOptions(limits: limits),
            work: .read_metadata
        )
        return try result(of: task) { answer, helper in
            let byteCounts = 0...Int64(ImageMetadata.maximumByteCount)
            guard byteCounts.contains(answer.first) else { return nil }
            return helper.content(byteCount: Int(answer.first)).map(ImageMetadata.init(bytes:))
        }
    }

    /// Performs a task in a helper; returns nil if no helper is available.
    ///
    /// `read` reads the result of a response, and returns nil if the response is invalid.
    private func result<Value>(
        of task: HelperTask,
        read: (csandbox_answer, DecoderHelper) -> Value?
    ) throws(ImageDecodingError) -> Value? {
        guard !task.bytes.isEmpty else { throw .empty }
        if task.work != .read_metadata,
            let text = state.withLock({ $0.culprits.crime(of: task.bytes) })
        {
            throw .decoderCrashed("\(text) twice; not retried")
        }
        // If a helper died while it was idle, these bytes are not the cause, so try another helper.
        for _ in 0..<2 {
            let helper: DecoderHelper
            do throws(HelperAbsence) {
                helper = try takeHelper(task.group)
            } catch {
                if isRequired { throw .isolationUnavailable(error.reason) }
                return nil
            }
            let result: Result<Value?, ImageDecodingError>
            do throws(HelperFault) {
                result = try perform(task, with: helper, read: read)
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
    /// Performs a task in a helper; if no error is thrown, the helper becomes idle again.
    private func perform<Value>(
        _ task: HelperTask,
        with helper: DecoderHelper,
        read: (csandbox_answer, DecoderHelper) -> Value?
    ) throws(HelperFault) -> Result<Value?, ImageDecodingError> {
        var request = csandbox_request(
            task.options,
            byteCount: task.bytes.count,
            work: task.work
        )
        request.number = requestNumber.add(1, ordering: .relaxed).newValue
        let answer = try helper.answer(to: request, task.bytes, task.options)
        guard answer.status == 0 else {
            guard let error = answer.error(format: task.format) else { throw .garbled }
            giveBack(helper)
            guard case .isolationUnavailable = error, !isRequired else { return .failure(error) }
            return .success(nil)
        }
        guard let value = read(answer, helper) else { throw .garbled }
        giveBack(helper)
        return .success(value)
    }

    /// Returns the decoding error for a fault; ends the helper if it can no longer be trusted.
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
        // The socket closes shortly before the process ends. A helper that closed it itself is
        // killed.
        let end = helper.end(waiting: 1_000)
        let limits = task.options.limits
        switch (end.signal, end.status) {
        case (0, Int32(csandbox_exit_memory)):
            // The helper does not report how much memory it tried to allocate.
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
        // An image is decoded even if its metadata ends helpers.
        guard task.work != .read_metadata else { return error }
        let text =
            if case .decoderCrashed(let text) = error { text } else { error.description }
        state.withLock { $0.culprits.note(text, of: task.bytes) }
        return error
    }
}

// MARK: - Helpers

extension DecoderHelpers {
    /// Returns an idle helper of the group, or starts a new helper.
    private func takeHelper(_ group: String?) throws(HelperAbsence) -> DecoderHelper {
        while let helper = state.withLock({ $0.takeIdle(group) }) {
            if helper.isQuiet { return helper }
            helper.end()
        }
        // At the limit, end the oldest idle helper, which belongs to another group.
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

    /// Throws an error if this process may open fewer than `descriptorCount` files, unless helpers
    /// are required.
    private func checkDescriptors() throws(HelperAbsence) {
        var limit = rlimit()
        guard !isRequired, getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
            limit.rlim_cur < Self.descriptorCount
        else { return }
        let reason = "only \(limit.rlim_cur) files may be open (ulimit -n)"
        throw HelperAbsence(reason: reason, isLasting: true)
    }

    private func giveBack(_ helper: DecoderHelper) {
        // The kernel limits the total processor time of a helper, so replace the helper after half
        // of that time.
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

    /// Ends all idle helpers and waits until they have ended.
    func endAll() {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        for (helper, _) in idle { helper.end() }
    }

    /// Ends the helpers that have been idle for `idleTime`.
    ///
    /// If other idle helpers remain, the next check is scheduled.
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
        // Waiting for the processes to end would block the clock's thread for too long.
        let ending: @Sendable () -> Void = { for helper in old { helper.end() } }
        if !POSIXThread.startDetached(name: "decoder-end", body: ending) { ending() }
    }
}
