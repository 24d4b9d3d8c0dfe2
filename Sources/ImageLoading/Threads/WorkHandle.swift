/// Steers one piece of work while it waits for a thread: whoever makes it may raise or lower the
/// priority at any time, on any thread.
///
/// Made before the work, so that a wish can be said before there is anything to steer. A handle may
/// go with several pieces of work, one after the other.
public final class WorkHandle: Sendable {
    private struct State {
        var priority: LoadPriority
        var core: WorkerCore?
        var id: WorkQueue<WorkItem>.ID = 0
    }

    private let state: Protected<State>

    /// Makes a handle for work that is to wait at a priority.
    public init(priority: LoadPriority) {
        state = Protected(State(priority: priority))
    }

    /// How urgent the work is; setting it has no effect on work that runs.
    public var priority: LoadPriority {
        get { state.withLock { $0.priority } }
        set {
            let (core, id) = state.withLock { state in
                state.priority = newValue
                return (state.core, state.id)
            }
            core?.applyPriority(of: self, to: id)
        }
    }

    /// Ties the handle to work that is in the queue already.
    func bind(to id: WorkQueue<WorkItem>.ID, of core: WorkerCore) {
        state.withLock { state in
            state.core = core
            state.id = id
        }
    }

    /// Lets go of the queue when the work is done.
    func unbind() {
        state.withLock { $0.core = nil }
    }
}
