/// Which loads are under way, and who waits for them: a pure table, owned by `LoadEngine` under
/// its lock.
///
/// "Join or start" and "leave, and was I the last?" are decided in one step each, so that nobody
/// can join a load that is dying. A task has a number of its own: one that ends late can't close the
/// entry of its successor under the same key.
struct InFlightLoads<Key: Hashable & Sendable, Listener: Hashable & Sendable, Work: Sendable> {
    private struct Entry {
        let number: UInt64
        var listeners: [Listener: LoadPriority]
        var work: Work

        var priority: LoadPriority { listeners.values.max() ?? .low }
    }

    enum Left: Sendable {
        /// Not waiting here (any more).
        case unknown
        /// Others still wait; the task's priority is that of the most urgent of them.
        case othersRemain(Work, LoadPriority)
        /// Nobody waits: the work is to be cancelled.
        case wasLast(Work)
    }

    private var entries: [Key: Entry] = [:]
    private var lastNumber: UInt64 = 0

    /// Whether nothing is under way.
    var isEmpty: Bool { entries.isEmpty }

    /// Tasks under way.
    var count: Int { entries.count }

    /// Joins the task under `key`; returns its work and priority, or nil if there is none.
    mutating func join(
        _ key: Key,
        as listener: Listener,
        priority: LoadPriority
    ) -> (work: Work, priority: LoadPriority)? {
        guard var entry = entries[key] else { return nil }
        entry.listeners[listener] = priority
        entries[key] = entry
        return (entry.work, entry.priority)
    }

    /// Starts a task with its first listener; `makeWork` gets the task's number.
    mutating func start(
        _ key: Key,
        as listener: Listener,
        priority: LoadPriority,
        makeWork: (UInt64) -> Work
    ) {
        lastNumber += 1
        let entry = Entry(
            number: lastNumber,
            listeners: [listener: priority],
            work: makeWork(lastNumber)
        )
        precondition(entries.updateValue(entry, forKey: key) == nil, "a key has one task")
    }

    /// Makes a listener's own wait more or less urgent; false if it does not wait here (any more).
    mutating func setPriority(_ priority: LoadPriority, of listener: Listener, _ key: Key) -> Bool {
        guard entries[key]?.listeners[listener] != nil else { return false }
        entries[key]?.listeners[listener] = priority
        return true
    }

    /// That of the most urgent listener.
    func priority(of key: Key) -> LoadPriority { entries[key]?.priority ?? .low }

    /// Takes a listener out; the last one out ends the entry.
    mutating func leave(_ key: Key, _ listener: Listener) -> Left {
        guard var entry = entries[key], entry.listeners.removeValue(forKey: listener) != nil else {
            return .unknown
        }
        guard entry.listeners.isEmpty else {
            entries[key] = entry
            return .othersRemain(entry.work, entry.priority)
        }
        entries[key] = nil
        return .wasLast(entry.work)
    }

    /// Who listens to this task at the moment; nobody if it has been left or replaced.
    func listeners(of key: Key, task number: UInt64) -> [Listener] {
        guard let entry = entries[key], entry.number == number else { return [] }
        return Array(entry.listeners.keys)
    }

    /// Ends a task; returns those to tell.
    mutating func finish(_ key: Key, task number: UInt64) -> [Listener] {
        guard let place = entries.index(forKey: key), entries[place].value.number == number else {
            return []
        }
        return Array(entries.remove(at: place).value.listeners.keys)
    }

    /// Everyone who waits for anything, those of the newest task first.
    var listenersNewestFirst: [Listener] {
        entries.values.sorted { $0.number > $1.number }.flatMap(\.listeners.keys)
    }
}

/// The tasks that are started inside `ImageManager.batch`, until it ends: a pure table, owned by
/// `LoadEngine` under a lock.
struct LoadBatch {
    private var depth = 0
    private var tasks: [LoadTask] = []

    /// A batch begins, perhaps inside another one or beside it on another thread.
    mutating func open() {
        depth += 1
    }

    /// Keeps a task that is to begin later; false if it may begin now.
    mutating func add(_ task: LoadTask) -> Bool {
        if depth > 0 { tasks.append(task) }
        return depth > 0
    }

    /// A batch ends; with the outermost one the tasks to begin, the oldest first.
    mutating func close() -> [LoadTask] {
        depth -= 1
        guard depth == 0 else { return [] }
        defer { tasks = [] }
        return tasks
    }
}
