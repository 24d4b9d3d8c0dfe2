internal import HeapModule
internal import SystemSupport

/// A thread that runs actions at specified times.
///
/// The first call to `call` starts the thread, which then keeps running. While no action is due,
/// the thread sleeps without waking up, so it costs nothing. The actions run one after another and
/// must be quick.
final class TimerThread: Sendable {
    typealias Action = @Sendable () -> Void

    private struct State: Sendable {
        var agenda = Agenda<Action>()
        var hasThread = false
    }

    private let state = Monitor(State())
    private let uptime: @Sendable () -> Duration

    /// Creates a timer; `uptime` must never decrease, but may advance while the machine sleeps.
    init(uptime: @escaping @Sendable () -> Duration) {
        self.uptime = uptime
    }

    /// Calls `action` once, as soon as `uptime` has reached `time`.
    ///
    /// If the system cannot start a thread, the action waits until a later call can start it.
    func call(at time: Duration, _ action: @escaping Action) {
        let (isFirst, isNext) = state.withLock { state in
            let next = state.agenda.next
            state.agenda.add(action, at: time)
            defer { state.hasThread = true }
            return (!state.hasThread, next.map { time < $0 } ?? true)
        }
        // The thread sleeps until the next action, so a later action need not wake it.
        if isNext { state.withLock(waking: .one) { _ in } }
        guard isFirst, !POSIXThread.startDetached(name: "timer", body: run) else { return }
        state.withLock { $0.hasThread = false }
    }

    @Sendable private func run() {
        while true {
            for action in nextActions() { action() }
        }
    }

    private func nextActions() -> [Action] {
        state.wait { state in
            let now = uptime()
            let due = state.agenda.takeDue(at: now)
            guard due.isEmpty else { return .over(due) }
            return .again(within: state.agenda.next.map { $0 - now })
        }
    }
}

/// A queue of elements ordered by time, earliest first.
///
/// Elements with the same time stay in insertion order.
struct Agenda<Element: Sendable>: Sendable {
    private var entries = Heap<Entry>()
    private var lastNumber = 0

    /// The time of the earliest entry.
    var next: Duration? { entries.min?.time }

    mutating func add(_ element: Element, at time: Duration) {
        lastNumber += 1
        entries.insert(Entry(time: time, number: lastNumber, element: element))
    }

    /// Removes and returns all elements that are due.
    mutating func takeDue(at now: Duration) -> [Element] {
        var due: [Element] = []
        while let first = entries.min, first.time <= now {
            due.append(first.element)
            entries.removeMin()
        }
        return due
    }

    private struct Entry: Comparable {
        let time: Duration
        let number: Int
        let element: Element

        static func < (left: Entry, right: Entry) -> Bool {
            (left.time, left.number) < (right.time, right.number)
        }

        static func == (left: Entry, right: Entry) -> Bool { left.number == right.number }
    }
}
