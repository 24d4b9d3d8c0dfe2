/// Carries out what the `MemoryGovernor` decides; one for each manager.
///
/// Callable on any thread. Nothing is called while its lock is held, and the actions of two threads
/// are carried out in the order in which they were decided (`PendingActions`). The disk is left
/// alone: it holds no memory.
final class MemoryResponse: Sendable {
    /// Hears each stage as it begins.
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

    /// How pressure is noticed; nil without a source.
    var method: MemoryPressureWatch.Method? { state.withLock { $0.watch?.method } }

    /// The stage at this moment.
    var stage: MemoryStage {
        refresh()
        return state.withLock { $0.governor.stage }
    }

    /// Listens to a source from here on, instead of an earlier one.
    func watch(_ source: any MemoryPressureSource) {
        let watch = source.watch { [weak self] in self?.take($0) }
        let former = state.withLock { state in
            defer { state.watch = watch }
            return state.watch
        }
        former?.stop()
    }

    /// Has `observer` called at each change of the stage, on the thread that noticed; it must be
    /// quick.
    ///
    /// For as long as this lives.
    func observe(_ observer: @escaping Observer) {
        state.withLock { $0.observers.append(observer) }
    }

    private func take(_ pressure: MemoryPressure) {
        let now = clock.uptime()
        decide { $0.take(pressure, at: now) }
        setAlarm()
    }

    /// Takes back what was given up, if it is time.
    private func refresh() {
        let now = clock.uptime()
        if decide({ $0.advance(to: now) }) { setAlarm() }
    }

    /// Changes the governor, and has what follows done; whether this thread did it.
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

    /// One alarm at a time, and none at rest.
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

/// Decides what to give up when memory is short, and when to take it back.
///
/// Pure; times are uptimes and never go back. Each sign of pressure costs at least what its level
/// demands. If the next sign comes after what was given up had time to help, the stage rises by
/// one. After every quiet time without a sign it falls by one.
struct MemoryGovernor: Sendable {
    enum Action: Equatable, Sendable {
        /// Removes the images that were not used for longest, down to this share of what the
        /// cache holds.
        case trim(percent: Int)
        /// Tells prefetchers and the decode pool what they may do.
        case adopt(MemoryStage)
    }

    /// The kernel tells at most once in this time, the trigger's window.
    static let settlingTime = Duration.seconds(2)
    static let quietTime = Duration.seconds(30)

    private(set) var stage = MemoryStage.calm
    /// When the stage was last judged: a sign of pressure, or the end of a quiet time.
    private var lastTime = Duration.zero

    /// When `advance` will have something to do; nil at rest.
    var nextChange: Duration? { stage == .calm ? nil : lastTime + Self.quietTime }

    /// Takes a sign of pressure.
    mutating func take(_ pressure: MemoryPressure, at time: Duration) -> [Action] {
        var actions = advance(to: time)
        let before = stage
        let demanded = MemoryStage(rawValue: pressure.rawValue) ?? .restrained
        stage = max(demanded, hasHadTime(time) ? raised(stage) : stage)
        lastTime = max(lastTime, time)
        // Also if the stage stays: what was loaded since is to leave.
        actions.append(.trim(percent: stage == .trimmed ? 50 : 0))
        if stage != before { actions.append(.adopt(stage)) }
        return actions
    }

    /// Lets time pass: one stage back for every quiet time.
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
