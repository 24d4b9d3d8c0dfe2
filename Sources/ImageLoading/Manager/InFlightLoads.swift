/// A table of the running loads and their listeners, without side effects.
///
/// `LoadEngine` owns the table and protects it with a lock. A listener joins or starts a load under
/// this lock. If the last listener leaves, the entry is removed in the same step, so no listener
/// can join a load that is about to end. Each task has its own number, so a task that ends late
/// cannot remove the entry of a later task with the same key.
struct InFlightLoads<Key: Hashable & Sendable, Listener: Hashable & Sendable, Work: Sendable> {
    private struct Entry {
        let number: UInt64
        var listeners: [Listener: LoadPriority]
        var work: Work

        var priority: LoadPriority { listeners.values.max() ?? .low }
    }

    enum Left: Sendable {
        /// The listener is not in the table.
        case unknown
        /// Other listeners are still waiting; the task now has the highest of their priorities.
        case othersRemain(Work, LoadPriority)
        /// No listener is left; the work must be cancelled.
        case wasLast(Work)
    }

    private var entries: [Key: Entry] = [:]
    private var lastNumber: UInt64 = 0

    var isEmpty: Bool { entries.isEmpty }

    var count: Int { entries.count }

    /// Adds a listener to the task for `key`.
    ///
    /// Returns the work of the task and its new priority, or nil if there is no such task.
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

    /// Starts a task with its first listener; `makeWork` receives the task's number.
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

    /// Changes the priority of a listener; returns false if the listener is not in the table.
    mutating func setPriority(_ priority: LoadPriority, of listener: Listener, _ key: Key) -> Bool {
        guard entries[key]?.listeners[listener] != nil else { return false }
        entries[key]?.listeners[listener] = priority
        return true
    }

    /// Returns the priority of a task: the highest priority of its listeners.
    func priority(of key: Key) -> LoadPriority { entries[key]?.priority ?? .low }

    /// Removes a listener.
    ///
    /// If it was the last listener, the entry of the task is removed.
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

    /// Returns the listeners of a task, or an empty array if the task no longer has an entry.
    func listeners(of key: Key, task number: UInt64) -> [Listener] {
        guard let entry = entries[key], entry.number == number else { return [] }
        return Array(entry.listeners.keys)
    }

    /// Removes the entry of a task that has ended, and returns the listeners to notify.
    mutating func finish(_ key: Key, task number: UInt64) -> [Listener] {
        guard let place = entries.index(forKey: key), entries[place].value.number == number else {
            return []
        }
        return Array(entries.remove(at: place).value.listeners.keys)
    }

    /// All listeners, starting with the listeners of the newest task.
    var listenersNewestFirst: [Listener] {
        entries.values.sorted { $0.number > $1.number }.flatMap(\.listeners.keys)
    }
}

/// The tasks started inside `ImageManager.batch`, collected until the batch ends.
///
/// This type has no side effects; `LoadEngine` owns the value and protects it with a lock.
struct LoadBatch {
    private var depth = 0
    private var tasks: [LoadTask] = []

    /// Opens a batch, possibly inside another batch or while a batch on another thread is open.
    mutating func open() {
        depth += 1
    }

    /// Adds a task, which begins when the batch ends.
    ///
    /// If no batch is open, the method returns false without adding the task, which may begin now.
    mutating func add(_ task: LoadTask) -> Bool {
        if depth > 0 { tasks.append(task) }
        return depth > 0
    }

    /// Closes a batch.
    ///
    /// Returns the tasks to begin, oldest first, if no other batch is open.
    mutating func close() -> [LoadTask] {
        depth -= 1
        guard depth == 0 else { return [] }
        defer { tasks = [] }
        return tasks
    }
}
