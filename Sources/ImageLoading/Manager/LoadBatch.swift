/// The runs that are started inside `ImageManager.batch`, until it ends: a pure table, owned by
/// `ImageManager` under a lock.
struct LoadBatch {
    private var depth = 0
    private var runs: [LoadTask] = []

    /// A batch begins, perhaps inside another one or beside it on another thread.
    mutating func open() {
        depth += 1
    }

    /// Keeps a run that is to begin later; false if it may begin now.
    mutating func add(_ run: LoadTask) -> Bool {
        if depth > 0 { runs.append(run) }
        return depth > 0
    }

    /// A batch ends; with the outermost one the runs to begin, the oldest first.
    mutating func close() -> [LoadTask] {
        depth -= 1
        guard depth == 0 else { return [] }
        defer { runs = [] }
        return runs
    }
}
