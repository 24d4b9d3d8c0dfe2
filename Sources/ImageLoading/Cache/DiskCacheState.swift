/// Stands for the time between two clearings of a cache.
///
/// A load asks for it before it starts and hands it over with its result, which is dropped if the
/// cache was cleared meanwhile: else a cleared cache would fill again with what the clearing was
/// meant to get rid of (row F29).
public struct CacheGeneration: Hashable, Sendable {
    var number = 0
}

/// What a `DiskCache` knows without asking the disk.
///
/// Pure.
struct DiskCacheState: Sendable {
    /// The most memory for bodies that wait to be written.
    static let stagedByteLimit = 96 << 20

    private(set) var generation = CacheGeneration()
    var inventory = DiskInventory()
    private var staged = StagedBodies(byteLimit: stagedByteLimit)
    private let byteLimit: Int
    private(set) var failures = DiskCacheFailures()
    private var hits = 0
    private var misses = 0
    private var evictions = 0
    /// Whether files are being deleted to get back into the budget.
    private(set) var isEvicting = false
    /// Whether the directory was read to its end.
    var isScanned = false
    private var clearsRunning = 0
    /// What was written while a clearing runs, and must survive it.
    private var writtenWhileClearing: Set<CacheFileName> = []

    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    var statistics: CacheStatistics {
        var result = CacheStatistics()
        result.entryCount = inventory.count
        result.byteCount = inventory.byteCount
        result.byteLimit = byteLimit
        result.hits = hits
        result.misses = misses
        result.evictions = evictions
        return result
    }
}

extension DiskCacheState {
    // MARK: Storing

    /// The number under which the body waits to be written; nil if it is not to be stored.
    mutating func stage(
        _ bytes: [UInt8],
        as name: CacheFileName,
        begun: CacheGeneration
    ) -> Int? {
        guard begun == generation else { return nil }
        if let number = staged.add(bytes, for: name) { return number }
        noteWriteFailure("too much waits to be written")
        return nil
    }

    /// The body to write; nil if it was removed or replaced since.
    func stagedBody(_ name: CacheFileName, number: Int) -> [UInt8]? {
        guard let body = staged[name], body.number == number else { return nil }
        return body.bytes
    }

    /// A body is on the disk.
    ///
    /// If the cache was cleared meanwhile, the clearing will delete it.
    mutating func noteWritten(
        _ name: CacheFileName,
        number: Int,
        facts: FileFacts,
        begun: CacheGeneration
    ) {
        staged.remove(name, number: number)
        guard begun == generation else { return }
        inventory.noteUse(
            of: name,
            byteCount: facts.allocatedByteCount,
            modified: facts.modified
        )
        if clearsRunning > 0 { writtenWhileClearing.insert(name) }
    }

    mutating func noteWriteFailed(_ name: CacheFileName, number: Int, _ failure: FileFailure) {
        staged.remove(name, number: number)
        noteWriteFailure("\(failure.operation): \(failure.text)")
    }

    mutating func noteWriteFailure(_ text: String) {
        failures.writeCount += 1
        failures.lastText = text
    }

    mutating func noteDeleteFailure(_ failure: FileFailure) {
        failures.deleteCount += 1
        failures.lastText = "\(failure.operation): \(failure.text)"
    }

    mutating func unstage(_ name: CacheFileName) {
        staged.remove(name)
    }

    // MARK: Looking up

    func isStaged(_ name: CacheFileName) -> Bool { staged[name] != nil }

    mutating func stagedHit(_ name: CacheFileName) -> [UInt8]? {
        guard let body = staged[name] else { return nil }
        hits += 1
        return body.bytes
    }

    /// A file was read; false if it isn't known yet, and must be looked at where files are deleted,
    /// since it may be gone again by now.
    mutating func noteHit(_ name: CacheFileName, modified: Int) -> Bool {
        hits += 1
        guard let entry = inventory[name] else { return false }
        inventory.noteUse(of: name, byteCount: entry.byteCount, modified: modified)
        return true
    }

    mutating func noteMiss() {
        misses += 1
    }

    mutating func noteReadFailure(_ text: String) {
        misses += 1
        failures.readCount += 1
        failures.lastText = text
    }

    // MARK: Keeping the budget

    /// Whether to start deleting; then `endEviction` must follow.
    mutating func beginEviction() -> Bool {
        guard byteLimit > 0, inventory.byteCount > byteLimit, !isEvicting else { return false }
        isEvicting = true
        return true
    }

    /// Below the budget by a tenth, so that not every write has to delete.
    var isEvictionDone: Bool { inventory.byteCount <= byteLimit / 10 * 9 }

    mutating func endEviction() {
        isEvicting = false
    }

    mutating func noteEvicted() {
        evictions += 1
    }

    // MARK: Clearing

    mutating func beginClearing() {
        generation.number += 1
        staged.removeAll()
        inventory = DiskInventory()
        clearsRunning += 1
        writtenWhileClearing = []
    }

    func survivesClearing(_ name: CacheFileName) -> Bool { writtenWhileClearing.contains(name) }

    mutating func endClearing() {
        clearsRunning -= 1
        if clearsRunning == 0 { writtenWhileClearing = [] }
    }
}
