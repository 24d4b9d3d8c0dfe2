/// What outlives the clearings that are under way: whatever was written since the latest began.
///
/// Pure.
struct ClearingState: Sendable {
    private var runningCount = 0
    private var written: Set<EntryName> = []

    mutating func begin() {
        runningCount += 1
        written = []
    }

    mutating func noteWritten(_ name: EntryName) {
        if runningCount > 0 { written.insert(name) }
    }

    func isSurvivor(_ item: CacheDirectory.Item) -> Bool {
        switch item {
        case .entry(let name), .sidecar(let name): written.contains(name)
        case .temporary: false
        }
    }

    mutating func end() {
        runningCount -= 1
        if runningCount == 0 { written = [] }
    }
}
