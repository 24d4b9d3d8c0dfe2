/// What a `DiskCache` knows without asking the disk.
///
/// Pure.
struct DiskCacheState: Sendable {
    /// The most memory for bodies that wait to be written.
    static let stagedByteLimit = 96 << 20

    private(set) var generation = CacheGeneration()
    var inventory = DiskInventory()
    private var staged = StagedEntries(byteLimit: stagedByteLimit)
    private(set) var byteLimit: Int
    var maximumAge: Duration?
    private(set) var failures = DiskCacheFailures()
    /// Damaged files that the writer has not deleted so far.
    private var damaged: Set<EntryName> = []
    private var hits = 0
    private var misses = 0
    private var evictions = 0
    /// Whether files are being deleted to get back into the budget.
    private(set) var isEvicting = false
    /// Whether the directory is looked through again.
    var isLooking = false
    /// Whether the cache was used at all.
    private(set) var isInUse = false
    /// Whether the directory was read to its end.
    var isScanned = false
    /// Bytes of blocks written since the directory was looked through.
    private var byteCountSinceLook = 0
    private var sweepsRunning = 0
    private var clearing = ClearingState()

    init(byteLimit: Int, maximumAge: Duration? = nil) {
        self.byteLimit = max(0, byteLimit)
        self.maximumAge = maximumAge
    }

    /// Whether this is the first use, with which the scan begins.
    mutating func beginUse() -> Bool {
        defer { isInUse = true }
        return !isInUse
    }

    var statistics: CacheStatistics {
        var result = CacheStatistics()
        result.entryCount = inventory.count
        result.thumbnailCount = inventory.thumbnailCount
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

    /// The number under which the entry waits to be written; nil if it is not to be stored.
    ///
    /// A whole body makes part of one needless.
    mutating func stage(
        _ entry: DiskEntry,
        as name: EntryName,
        owner: MessageDigest,
        begun: CacheGeneration
    ) -> Int? {
        guard begun == generation, entry.bytes.count <= byteLimit else { return nil }
        if name.kind == .body { staged.remove(EntryName(name.file, .partial)) }
        if let number = staged.add(entry, for: name, owner: owner) { return number }
        noteWriteFailure("the write queue is full")
        return nil
    }

    /// The entry to write; nil if it was removed or replaced since.
    func stagedEntry(_ name: EntryName, number: Int) -> DiskEntry? {
        guard let staged = staged[name], staged.number == number else { return nil }
        return staged.entry
    }

    mutating func replaceStagedMetadata(
        of name: EntryName,
        owner: MessageDigest,
        with metadata: [UInt8]
    ) {
        staged.replaceMetadata(of: name, owner: owner, with: metadata)
    }

    /// An entry is on the disk.
    ///
    /// If the cache was cleared meanwhile, the clearing will delete it.
    mutating func noteWritten(
        _ name: EntryName,
        number: Int,
        _ written: CacheDirectory.Written,
        begun: CacheGeneration
    ) {
        staged.remove(name, number: number)
        guard begun == generation else { return }
        let time = written.facts.modified
        let byteCount = written.facts.allocatedByteCount
        inventory.note(.init(time: time, modified: time), of: name, byteCount: byteCount)
        byteCountSinceLook += byteCount + written.sidecarByteCount
        inventory.noteSidecar(of: name, byteCount: written.sidecarByteCount)
        clearing.noteWritten(name)
    }

    /// False if the directory was looked through and the entry has none.
    func mayHaveSidecar(_ name: EntryName) -> Bool {
        !isScanned || inventory.hasSidecar(name)
    }

    mutating func noteWriteFailed(_ name: EntryName, number: Int, _ failure: FileFailure) {
        staged.remove(name, number: number)
        noteWriteFailure("\(failure.operation): \(failure.text)")
    }

    mutating func noteWriteFailure(_ text: String) {
        failures.writeCount += 1
        failures.lastText = text
    }

    /// Counts a damaged file once, however many readers find it before the writer has deleted it.
    mutating func noteDamage(of name: EntryName) {
        noteReadFailure("damaged file: \(name)")
        if damaged.insert(name).inserted { failures.damagedCount += 1 }
    }

    /// The writer has deleted the file, or found another one.
    mutating func settleDamage(of name: EntryName) {
        damaged.remove(name)
    }

    mutating func noteDeleteFailure(_ failure: FileFailure) {
        failures.deleteCount += 1
        failures.lastText = "\(failure.operation): \(failure.text)"
    }

    /// The directory could be read, or could not.
    mutating func noteDirectory(_ failure: FileFailure?) {
        failures.directoryText = failure?.text
        if let failure { failures.lastText = "\(failure.operation): \(failure.text)" }
    }

    mutating func unstage(_ name: EntryName) {
        staged.remove(name)
    }

    /// Everything of one URL.
    mutating func unstageAll(of file: CacheFileName) {
        staged.removeAll(of: file)
    }

    // MARK: Looking up

    /// The entry if it waits to be written for this very URL.
    func staged(_ name: EntryName, owner: MessageDigest) -> DiskEntry? {
        guard let staged = staged[name], staged.owner == owner else { return nil }
        return staged.entry
    }

    /// Whether the directory was looked through, and entries were neither found nor stored since.
    func expectsNothing(_ names: [EntryName]) -> Bool {
        isScanned && names.allSatisfy { inventory[$0] == nil && staged[$0] == nil }
    }

    mutating func noteHit() {
        hits += 1
    }

    /// A file was read; false if it isn't known yet, and must be looked at where files are deleted,
    /// since it may be gone again by now.
    mutating func noteUse(_ use: DiskInventory.Use, of name: EntryName) -> Bool {
        guard let entry = inventory[name] else { return false }
        inventory.note(use, of: name, byteCount: entry.byteCount)
        return true
    }

    mutating func noteMiss() {
        misses += 1
    }

    mutating func noteReadFailure(_ text: String) {
        failures.readCount += 1
        failures.lastText = text
    }

    // MARK: Keeping the budget

    mutating func setByteLimit(_ limit: Int) {
        byteLimit = max(0, limit)
    }

    /// Whether to start deleting; then `endEviction` must follow.
    mutating func beginEviction() -> Bool {
        guard inventory.byteCount > byteLimit, !isEvicting else { return false }
        isEvicting = true
        return true
    }

    /// Whether the caller may delete in place of the keeping of the budget; then `endEviction` must
    /// follow.
    mutating func claimEviction() -> Bool {
        guard !isEvicting else { return false }
        isEvicting = true
        return true
    }

    /// Whether to look through the directory, as much was written since the last look: other
    /// processes may have done the same, and all of us together are over the budget.
    mutating func beginLook() -> Bool {
        guard byteCountSinceLook > byteLimit / 8, !isLooking else { return false }
        isLooking = true
        return true
    }

    /// The directory is being looked through.
    mutating func noteLook() {
        byteCountSinceLook = 0
    }

    /// Below the budget by a tenth, so that not every write has to delete.
    var isEvictionDone: Bool { inventory.byteCount <= byteLimit / 10 * 9 }

    mutating func endEviction() {
        isEvicting = false
    }

    /// Whether a sweep of this process is under way, which the caller joins.
    mutating func joinSweep() -> Bool {
        guard sweepsRunning > 0 else { return false }
        sweepsRunning += 1
        return true
    }

    mutating func startSweep() {
        sweepsRunning = 1
    }

    /// Whether it was the last.
    mutating func leaveSweep() -> Bool {
        sweepsRunning -= 1
        return sweepsRunning == 0
    }

    mutating func noteEvicted() {
        evictions += 1
    }

    // MARK: Clearing

    mutating func beginClearing() {
        generation.number += 1
        staged.removeAll()
        inventory = DiskInventory()
        clearing.begin()
    }

    func survivesClearing(_ item: CacheDirectory.Item) -> Bool { clearing.isSurvivor(item) }

    mutating func endClearing() {
        clearing.end()
    }
}

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
