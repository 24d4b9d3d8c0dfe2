internal import HeapModule

/// Calls back at given times: one thread, which sleeps without waking up until the next one.
///
/// The thread is started by the first call and stays; while nothing is due it costs nothing. The
/// actions run on it one after the other and must be quick.
final class TimerThread: Sendable {
    typealias Action = @Sendable () -> Void

    private struct State: Sendable {
        var agenda = Agenda<Action>()
        var hasThread = false
    }

    private let state = Monitor(State())
    private let uptime: @Sendable () -> Duration

    /// `uptime` may go on while the machine sleeps, but not go back.
    init(uptime: @escaping @Sendable () -> Duration) {
        self.uptime = uptime
    }

    /// Calls `action` once, as soon as `uptime` has reached `time`.
    ///
    /// If the system has no thread left, it is called after a later call has got one.
    func call(at time: Duration, _ action: @escaping Action) {
        let (isFirst, isNext) = state.withLock { state in
            let next = state.agenda.next
            state.agenda.add(action, at: time)
            defer { state.hasThread = true }
            return (!state.hasThread, next.map { time < $0 } ?? true)
        }
        // The thread sleeps until the next action: a later one need not wake it.
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

/// What is due when, the earliest first; what is due at the same time, in the order of coming in.
struct Agenda<Element: Sendable>: Sendable {
    private var entries = Heap<Entry>()
    private var lastNumber = 0

    /// The time of the earliest entry.
    var next: Duration? { entries.min?.time }

    mutating func add(_ element: Element, at time: Duration) {
        lastNumber += 1
        entries.insert(Entry(time: time, number: lastNumber, element: element))
    }

    /// Takes out everything whose time has come.
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
