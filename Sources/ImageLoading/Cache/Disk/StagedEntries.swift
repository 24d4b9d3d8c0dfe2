/// The entries queued to be written to the disk.
///
/// This type performs no I/O. Lookups find these entries, so storing appears to take no time. Their
/// total size is limited; otherwise, they would fill the memory if the disk is slower than the
/// network.
struct StagedEntries: Sendable {
    struct Staged: Sendable {
        let number: Int
        let owner: MessageDigest
        var entry: DiskEntry
    }

    private var entries: [EntryName: Staged] = [:]
    private var lastNumber = 0
    private var byteCount = 0
    private let byteLimit: Int

    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    subscript(name: EntryName) -> Staged? { entries[name] }

    /// Adds an entry and returns a number that identifies it.
    ///
    /// Returns nil if the size limit would be exceeded. An older entry with the same name is
    /// removed in either case. The caller needs the number to remove the entry after writing it.
    mutating func add(_ entry: DiskEntry, for name: EntryName, owner: MessageDigest) -> Int? {
        remove(name)
        let cost = Self.cost(of: entry)
        guard byteCount + cost <= byteLimit else { return nil }
        lastNumber += 1
        byteCount += cost
        entries[name] = Staged(number: lastNumber, owner: owner, entry: entry)
        return lastNumber
    }

    /// Replaces the metadata of a queued entry.
    mutating func replaceMetadata(of name: EntryName, owner: MessageDigest, with bytes: [UInt8]) {
        guard var staged = entries[name], staged.owner == owner else { return }
        byteCount += bytes.count - staged.entry.metadata.count
        staged.entry.metadata = bytes
        entries[name] = staged
    }

    /// Removes an entry, unless another entry has replaced it in the meantime.
    mutating func remove(_ name: EntryName, number: Int) {
        if entries[name]?.number == number { remove(name) }
    }

    mutating func remove(_ name: EntryName) {
        byteCount -= entries.removeValue(forKey: name).map { Self.cost(of: $0.entry) } ?? 0
    }

    /// Removes all entries of one URL.
    mutating func removeAll(of file: CacheFileName) {
        for name in entries.keys where name.file == file { remove(name) }
    }

    mutating func removeAll() {
        entries = [:]
        byteCount = 0
    }

    private static func cost(of entry: DiskEntry) -> Int {
        entry.bytes.count + entry.metadata.count
    }
}
