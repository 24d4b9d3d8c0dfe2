/// What was decided and not yet done, in order, and whether a thread is at it.
///
/// Several threads may decide at the same time, and what follows has to happen in the order of the
/// decisions and outside of their lock. So actions are added under that lock, and one thread at a
/// time does them all: whoever finds nobody at it. An action that calls back in only adds to the
/// list, so any number of them in a row needs no more stack than one.
///
/// Pure; kept beside the state that the decisions change, under the same lock.
struct PendingActions<Action: Sendable>: Sendable {
    private var actions: [Action] = []
    private var isTaken = false

    /// Adds actions; whether the caller is the one to do what is there, with `take`.
    mutating func add(_ more: [Action]) -> Bool {
        actions += more
        guard !isTaken, !actions.isEmpty else { return false }
        isTaken = true
        return true
    }

    /// The next actions for the thread that is at it; nil if all are done, and then nobody is.
    mutating func take() -> [Action]? {
        guard !actions.isEmpty else {
            isTaken = false
            return nil
        }
        defer { actions = [] }
        return actions
    }
}
