/// What is in the directory as far as it is known: name, size and last use of each file.
///
/// Pure.
struct DiskInventory: Sendable {
    struct Entry: Hashable, Sendable {
        var byteCount: Int
        /// Seconds since 1970, as the file says.
        var modified: Int
        /// Orders uses within a second; 0 for files that were only seen by the scan.
        var useNumber: Int
    }

    private var entries: [CacheFileName: Entry] = [:]
    /// The number of the latest use in this process.
    private(set) var lastUseNumber = 0
    /// Bytes of allocated blocks.
    private(set) var byteCount = 0

    var count: Int { entries.count }

    var names: [CacheFileName] { Array(entries.keys) }

    subscript(name: CacheFileName) -> Entry? { entries[name] }

    /// Whether a file was used after the use with this number.
    func wasUsed(_ name: CacheFileName, after number: Int) -> Bool {
        (entries[name]?.useNumber ?? 0) > number
    }

    /// A file was written or read.
    mutating func noteUse(of name: CacheFileName, byteCount: Int, modified: Int) {
        lastUseNumber += 1
        set(name, Entry(byteCount: byteCount, modified: modified, useNumber: lastUseNumber))
    }

    /// A scan saw a file; what is known of its use stays known.
    mutating func noteSeen(_ name: CacheFileName, byteCount: Int, modified: Int) {
        let useNumber = entries[name]?.useNumber ?? 0
        set(name, Entry(byteCount: byteCount, modified: modified, useNumber: useNumber))
    }

    /// A file is gone.
    mutating func remove(_ name: CacheFileName) {
        byteCount -= entries.removeValue(forKey: name)?.byteCount ?? 0
    }

    /// All files, the one that was not used for longest first.
    ///
    /// A use in this process goes before what the file's time says, since that is only set once an
    /// hour. Sorts; a call costs 50 ms for 100,000 files, so keep it out of locks.
    func oldestFirst() -> [CacheFileName] {
        entries.sorted { left, right in
            let (one, other) = (left.value, right.value)
            return (one.useNumber, one.modified) < (other.useNumber, other.modified)
        }.map(\.key)
    }

    /// Files that were last used at `time` or before (row C23: equal counts as expired).
    func names(unusedSince time: Int) -> [CacheFileName] {
        entries.filter { $0.value.modified <= time }.map(\.key)
    }

    private mutating func set(_ name: CacheFileName, _ entry: Entry) {
        byteCount += entry.byteCount - (entries[name]?.byteCount ?? 0)
        entries[name] = entry
    }
}
