/// Decides what to give up when memory is short, and when to take it back.
///
/// Pure; times are uptimes and never go back. Each sign of pressure costs at least what its level
/// demands. If the next sign comes after what was given up had time to help, the stage rises by
/// one. After every quiet time without a sign it falls by one.
struct MemoryGovernor: Sendable {
    enum Action: Equatable, Sendable {
        /// Removes the pictures that were not used for longest, down to this share of what the
        /// cache holds.
        case trim(percent: Int)
        /// Tells who loads ahead and who decodes what they may do.
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
