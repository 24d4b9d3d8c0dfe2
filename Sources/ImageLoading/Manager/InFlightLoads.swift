/// Which loads are under way, and who waits for them: a pure table, owned by `ImageManager` under
/// its lock.
///
/// "Join or start" and "leave, and was I the last?" are decided in one step each, so that nobody
/// can join a load that is dying (rows F1, F2). A run has a number of its own: a run that ends
/// late can't close the entry of its successor under the same key.
struct InFlightLoads<Key: Hashable & Sendable, Listener: Hashable & Sendable, Work: Sendable> {
    private struct Run {
        let number: UInt64
        var listeners: [Listener: LoadPriority]
        var work: Work

        var priority: LoadPriority { listeners.values.max() ?? .low }
    }

    enum Left: Sendable {
        /// Not waiting here (any more).
        case unknown
        /// Others still wait; the run's priority is that of the most urgent of them (row F24).
        case othersRemain(Work, LoadPriority)
        /// Nobody waits: the work is to be cancelled.
        case wasLast(Work)
    }

    private var runs: [Key: Run] = [:]
    private var lastNumber: UInt64 = 0

    /// Whether nothing is under way (rows F5, M36).
    var isEmpty: Bool { runs.isEmpty }

    /// Runs under way.
    var count: Int { runs.count }

    /// Joins the run under `key`; returns its work and priority, or nil if there is none.
    mutating func join(
        _ key: Key,
        as listener: Listener,
        priority: LoadPriority
    ) -> (work: Work, priority: LoadPriority)? {
        guard var run = runs[key] else { return nil }
        run.listeners[listener] = priority
        runs[key] = run
        return (run.work, run.priority)
    }

    /// Starts a run with its first listener; `makeWork` gets the run's number.
    mutating func start(
        _ key: Key,
        as listener: Listener,
        priority: LoadPriority,
        makeWork: (UInt64) -> Work
    ) {
        precondition(runs[key] == nil, "a key has one run")
        lastNumber += 1
        runs[key] = Run(
            number: lastNumber,
            listeners: [listener: priority],
            work: makeWork(lastNumber)
        )
    }

    /// Takes a listener out; the last one out ends the run.
    mutating func leave(_ key: Key, _ listener: Listener) -> Left {
        guard var run = runs[key], run.listeners.removeValue(forKey: listener) != nil else {
            return .unknown
        }
        guard run.listeners.isEmpty else {
            runs[key] = run
            return .othersRemain(run.work, run.priority)
        }
        runs[key] = nil
        return .wasLast(run.work)
    }

    /// Who listens to this run at the moment; nobody if it has been left or replaced.
    func listeners(of key: Key, run number: UInt64) -> [Listener] {
        guard let run = runs[key], run.number == number else { return [] }
        return Array(run.listeners.keys)
    }

    /// Ends a run; returns those to tell.
    mutating func finish(_ key: Key, run number: UInt64) -> [Listener] {
        let waiting = listeners(of: key, run: number)
        if !waiting.isEmpty { runs[key] = nil }
        return waiting
    }

    /// Everyone who waits for anything, those of the newest run first.
    var listenersNewestFirst: [Listener] {
        runs.values.sorted { $0.number > $1.number }.flatMap(\.listeners.keys)
    }
}
