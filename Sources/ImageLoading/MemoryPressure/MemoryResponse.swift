import SystemSupport

/// Carries out the decisions of a manager's `MemoryGovernor`.
///
/// All methods may be called on any thread. Callbacks never run while the lock is held. If two
/// threads decide on actions, the actions are carried out in the order of the decisions
/// (`PendingActions`). The disk cache is not trimmed, because trimming it would free no memory.
final class MemoryResponse: Sendable {
    /// A closure that is called with each new stage.
    typealias Observer = @Sendable (MemoryStage) -> Void

    private struct State {
        var governor = MemoryGovernor()
        var pending = PendingActions<MemoryGovernor.Action>()
        var hasAlarm = false
        var observers: [Observer] = []
        var watch: MemoryPressureWatch?
    }

    private let state = Protected(State())
    private let memory: MemoryCache
    private let clock: LoadingClock

    init(memory: MemoryCache, clock: LoadingClock) {
        self.memory = memory
        self.clock = clock
    }

    /// How memory pressure is detected; nil if memory pressure is not monitored.
    var method: MemoryPressureWatch.Method? { state.withLock { $0.watch?.method } }

    /// The current stage of the response to memory pressure.
    ///
    /// Reading it first lowers the stage by one for each `MemoryGovernor.quietTime` without a
    /// report of pressure.
    var stage: MemoryStage {
        refresh()
        return state.withLock { $0.governor.stage }
    }

    /// Replaces the source that reports memory pressure.
    func watch(_ source: any MemoryPressureSource) {
        let watch = source.watch { [weak self] in self?.take($0) }
        let former = state.withLock { state in
            defer { state.watch = watch }
            return state.watch
        }
        former?.stop()
    }

    /// Registers `observer`, which is called on each stage change until this object is released.
    ///
    /// The observer is called on the thread that detected the change. It must return quickly.
    func observe(_ observer: @escaping Observer) {
        state.withLock { $0.observers.append(observer) }
    }

    private func take(_ pressure: MemoryPressure) {
        let now = clock.uptime()
        decide { $0.take(pressure, at: now) }
        setAlarm()
    }

    /// Lowers the stage by one for each `MemoryGovernor.quietTime` without a report of pressure.
    private func refresh() {
        let now = clock.uptime()
        if decide({ $0.advance(to: now) }) { setAlarm() }
    }

    /// Changes the state of the governor and carries out the resulting actions.
    ///
    /// If another thread is already carrying out actions, that thread also carries out these
    /// actions. Returns whether this thread carried them out.
    @discardableResult
    private func decide(
        _ change: (inout MemoryGovernor) -> [MemoryGovernor.Action]
    ) -> Bool {
        let isMine = state.withLock { state in
            let actions = change(&state.governor)
            return state.pending.add(actions)
        }
        guard isMine else { return false }
        while let actions = state.withLock({ $0.pending.take() }) {
            for action in actions { perform(action) }
        }
        return true
    }

    private func perform(_ action: MemoryGovernor.Action) {
        switch action {
        case .trim(let percent):
            let limit = memory.statistics.byteCount * percent / 100
            memory.trim(toByteCount: limit, reason: "memory pressure")
        case .adopt(let stage):
            for observer in state.withLock(\.observers) { observer(stage) }
        }
    }

    /// Schedules the next change of the stage, unless an alarm is set or the stage is `calm`.
    private func setAlarm() {
        let time = state.withLock { state in
            guard !state.hasAlarm, let change = state.governor.nextChange else {
                return nil as Duration?
            }
            state.hasAlarm = true
            return change
        }
        guard let time else { return }
        clock.notify(at: time) { [weak self] in
            self?.state.withLock { $0.hasAlarm = false }
            self?.refresh()
            self?.setAlarm()
        }
    }
}

/// The rules for releasing resources under memory pressure and for using them again afterward.
///
/// This type performs no I/O. Times are uptimes and never decrease. Each report of pressure raises
/// the stage at least to the level of its severity. If pressure is reported again after
/// `settlingTime`, the stage rises by one, because the earlier reductions had time to take effect
/// but were not enough. After each period of `quietTime` without a report, the stage falls by one.
struct MemoryGovernor: Sendable {
    enum Action: Equatable, Sendable {
        /// Removes the least recently used images until the cache is at this percentage of its
        /// current size.
        case trim(percent: Int)
        /// Reports the new stage to all observers, such as prefetchers and the decode pool.
        case adopt(MemoryStage)
    }

    /// The time allowed for the memory reductions of a stage to take effect.
    ///
    /// It equals the window of the kernel's PSI trigger; the kernel reports pressure at most once
    /// per window.
    static let settlingTime = Duration.seconds(2)
    static let quietTime = Duration.seconds(30)

    private(set) var stage = MemoryStage.calm
    /// The time when pressure was last reported, or when the last quiet period ended, whichever is
    /// later.
    private var lastTime = Duration.zero

    /// The time at which `advance` will change the stage; nil if the stage is `calm`.
    var nextChange: Duration? { stage == .calm ? nil : lastTime + Self.quietTime }

    /// Handles a report of pressure and returns the actions to carry out.
    ///
    /// The actions are a trim and, if the stage has changed, the new stage.
    mutating func take(_ pressure: MemoryPressure, at time: Duration) -> [Action] {
        var actions = advance(to: time)
        let before = stage
        let demanded = MemoryStage(rawValue: pressure.rawValue) ?? .restrained
        stage = max(demanded, hasHadTime(time) ? raised(stage) : stage)
        lastTime = max(lastTime, time)
        // Trim even if the stage stays the same, because images loaded since the last report must
        // be removed.
        actions.append(.trim(percent: stage == .trimmed ? 50 : 0))
        if stage != before { actions.append(.adopt(stage)) }
        return actions
    }

    /// Advances to `time` and lowers the stage by one for each quiet period that has passed.
    mutating func advance(to time: Duration) -> [Action] {
        let before = stage
        while let change = nextChange, change <= time {
            stage = MemoryStage(rawValue: stage.rawValue - 1) ?? .calm
            lastTime = change
        }
        return stage == before ? [] : [.adopt(stage)]
    }

    private func hasHadTime(_ time: Duration) -> Bool {
        stage != .calm && time - lastTime >= Self.settlingTime
    }

    private func raised(_ stage: MemoryStage) -> MemoryStage {
        MemoryStage(rawValue: stage.rawValue + 1) ?? .restrained
    }
}
