import GalleryCore

/// The entries of a fetch that were taken and are not reported yet: a pure table.
///
/// Entries with the same address share one load: the first of them makes it.
struct OpenEntries {
    private var entries: [Int: ListEntry] = [:]
    /// The numbers of those whose address is being loaded; the first of them makes the load.
    private var numbers: [UInt64: [Int]] = [:]
    /// Entries whose report is not written.
    private(set) var count = 0
    /// Bytes of their lines.
    private(set) var byteCount = 0

    /// Takes an entry, which counts until it is released.
    mutating func add(_ entry: ListEntry, _ number: Int) {
        entries[number] = entry
        count += 1
        byteCount += entry.byteCount
    }

    /// Has an entry share the load of its address; true if it is to make it.
    mutating func join(_ number: Int, _ fingerprint: UInt64) -> Bool {
        numbers[fingerprint, default: []].append(number)
        return numbers[fingerprint]?.count == 1
    }

    func entry(_ number: Int) -> ListEntry? { entries[number] }

    /// Ends the load of an address; all that shared it, in the order in which they came.
    mutating func leave(_ fingerprint: UInt64) -> [Int] {
        numbers.removeValue(forKey: fingerprint) ?? []
    }

    /// Takes out an entry that has its outcome.
    mutating func end(_ number: Int) -> ListEntry? {
        entries.removeValue(forKey: number)
    }

    /// Its report is written.
    mutating func release(_ entry: ListEntry) {
        count -= 1
        byteCount -= entry.byteCount
    }
}

/// What addresses are known by, where the addresses themselves would take too much memory.
///
/// 64 bits of SipHash with a key of this process, so that nobody can make two that are equal: of n
/// addresses among m others one is taken for another with a probability of n · m / 2⁶⁴.
enum Fingerprint {
    /// That of an address, without user name and password.
    static func of(_ url: String) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(url)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// That of what is loaded for an entry.
    static func of(_ entry: ListEntry) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(entry.item.url)
        hasher.combine(entry.origin)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
