internal import SystemSupport

/// The in-memory state of a `DiskCache`.
///
/// This type performs no I/O.
struct DiskCacheState: Sendable {
    /// The maximum total size of the entries queued for writing, in bytes.
    static let stagedByteLimit = 96 << 20

    private(set) var generation = CacheGeneration()
    var inventory = DiskInventory()
    private var staged = StagedEntries(byteLimit: stagedByteLimit)
    private(set) var byteLimit: Int
    var maximumAge: Duration?
    private(set) var failures = DiskCacheFailures()
    /// The damaged files that the writer thread has not deleted yet.
    private var damaged: Set<EntryName> = []
    private var hits = 0
    private var misses = 0
    private var evictions = 0
    /// Whether files are being deleted to meet the budget.
    private(set) var isEvicting = false
    /// Whether a repeated scan of the directory is running; false during the first scan.
    var isLooking = false
    private(set) var isInUse = false
    /// Whether the first scan is complete.
    var isScanned = false
    /// The total size of the files written since the last scan began, in bytes of allocated blocks.
    private var byteCountSinceLook = 0
    private var sweepsRunning = 0
    private var clearing = ClearingState()

    init(byteLimit: Int, maximumAge: Duration? = nil) {
        self.byteLimit = max(0, byteLimit)
        self.maximumAge = maximumAge
    }

    /// Records a use of the cache; returns true if it is the first use.
    ///
    /// On the first use, the caller must start the directory scan.
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

    /// Adds an entry to the write queue and returns a number that identifies it in the queue.
    ///
    /// Returns nil without storing the entry if the cache was cleared since `begun` was read, or if
    /// the entry exceeds the budget or the free space in the write queue. A complete body removes a
    /// partial body of the same URL from the queue.
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

    /// Returns the entry to write, or nil if it was removed or replaced in the meantime.
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

    /// Records that an entry was written to the disk.
    ///
    /// If the cache was cleared in the meantime, the entry is not recorded, because `clear` deletes
    /// its file.
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

    /// Returns whether an entry may have a sidecar, a separate file for its record.
    ///
    /// False only if the scan is complete and found no sidecar.
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

    /// Counts a failed lookup and a damaged file.
    ///
    /// The file is counted only once, even if several readers find it before the writer thread
    /// deletes it.
    mutating func noteDamage(of name: EntryName) {
        noteReadFailure("damaged file: \(name)")
        if damaged.insert(name).inserted { failures.damagedCount += 1 }
    }

    /// Records that the writer thread has deleted a damaged file, or has found that it was
    /// replaced.
    mutating func settleDamage(of name: EntryName) {
        damaged.remove(name)
    }

    mutating func noteDeleteFailure(_ failure: FileFailure) {
        failures.deleteCount += 1
        failures.lastText = "\(failure.operation): \(failure.text)"
    }

    /// Records the result of reading the directory; `failure` is nil on success.
    mutating func noteDirectory(_ failure: FileFailure?) {
        failures.directoryText = failure?.text
        if let failure { failures.lastText = "\(failure.operation): \(failure.text)" }
    }

    mutating func unstage(_ name: EntryName) {
        staged.remove(name)
    }

    /// Removes all entries of one URL from the write queue.
    mutating func unstageAll(of file: CacheFileName) {
        staged.removeAll(of: file)
    }

    // MARK: Looking up

    /// Returns the entry with this name if it is queued for writing and belongs to `owner`.
    func staged(_ name: EntryName, owner: MessageDigest) -> DiskEntry? {
        guard let staged = staged[name], staged.owner == owner else { return nil }
        return staged.entry
    }

    /// Returns whether the cache is known to have no entry with any of these names.
    ///
    /// The result is false before the first scan is complete.
    func expectsNothing(_ names: [EntryName]) -> Bool {
        isScanned && names.allSatisfy { inventory[$0] == nil && staged[$0] == nil }
    }

    mutating func noteHit() {
        hits += 1
    }

    /// Records a use of a file; returns false if the inventory does not contain the file.
    ///
    /// In that case, the writer thread must inspect the file, because it may have been deleted.
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

    // MARK: Enforcing the budget

    mutating func setByteLimit(_ limit: Int) {
        byteLimit = max(0, limit)
    }

    /// Begins an eviction if the cache exceeds its budget and no eviction is running.
    ///
    /// Returns whether the eviction began. If so, the caller must call `endEviction`.
    mutating func beginEviction() -> Bool {
        guard inventory.byteCount > byteLimit, !isEvicting else { return false }
        isEvicting = true
        return true
    }

    /// Prevents evictions until `endEviction` is called, so that only the caller deletes files.
    ///
    /// Returns false if an eviction is already running.
    mutating func claimEviction() -> Bool {
        guard !isEvicting else { return false }
        isEvicting = true
        return true
    }

    /// Begins a repeated scan if more than an eighth of the budget was written since the last scan
    /// began.
    ///
    /// Other processes may have written as much, so the files of all processes together may exceed
    /// the budget. Returns false if no scan is needed, or if a repeated scan is already running.
    mutating func beginLook() -> Bool {
        guard byteCountSinceLook > byteLimit / 8, !isLooking else { return false }
        isLooking = true
        return true
    }

    /// Records the start of a directory scan.
    mutating func noteLook() {
        byteCountSinceLook = 0
    }

    /// Whether the cache uses at most 90 % of its budget.
    ///
    /// An eviction stops at this level so that not every write has to delete files.
    var isEvictionDone: Bool { inventory.byteCount <= byteLimit / 10 * 9 }

    mutating func endEviction() {
        isEvicting = false
    }

    /// Joins a sweep (a deletion of several files) that is already running in this process.
    ///
    /// Returns false if no sweep is running.
    mutating func joinSweep() -> Bool {
        guard sweepsRunning > 0 else { return false }
        sweepsRunning += 1
        return true
    }

    mutating func startSweep() {
        sweepsRunning = 1
    }

    /// Leaves a sweep; returns whether no other sweep is running in this process.
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

/// The entries written while the cache is being cleared; they must not be deleted.
///
/// If several clearings run at the same time, only entries written after the last one began are
/// kept. This type performs no I/O.
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
