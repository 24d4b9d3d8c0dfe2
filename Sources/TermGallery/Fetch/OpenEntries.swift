import Feeds
import GalleryCore

/// The entries of a fetch whose results have not been reported yet.
///
/// This type has no side effects. Entries with the same URL share a load, which is started by the
/// first of these entries.
struct OpenEntries {
    private var entries: [Int: ListEntry] = [:]
    /// The numbers of the entries that share a load, keyed by the fingerprint of their URL.
    ///
    /// The first of these entries has started the load.
    private var numbers: [UInt64: [Int]] = [:]
    /// The number of entries whose reports have not been written yet.
    private(set) var count = 0
    /// The total size in bytes of the lines and records of entries whose reports have not been
    /// written yet.
    private(set) var byteCount = 0

    /// Adds an entry, which is counted until `release` is called.
    mutating func add(_ entry: ListEntry, _ number: Int) {
        entries[number] = entry
        count += 1
        byteCount += entry.byteCount
    }

    /// Adds an entry to those that share a load, and returns whether the load must be started.
    ///
    /// Returns true for the first of these entries.
    mutating func join(_ number: Int, _ fingerprint: UInt64) -> Bool {
        numbers[fingerprint, default: []].append(number)
        return numbers[fingerprint]?.count == 1
    }

    func entry(_ number: Int) -> ListEntry? { entries[number] }

    /// Ends the load of a URL, and returns the numbers of all entries that shared it, in order.
    mutating func leave(_ fingerprint: UInt64) -> [Int] {
        numbers.removeValue(forKey: fingerprint) ?? []
    }

    /// Removes an entry after its result has arrived.
    mutating func end(_ number: Int) -> ListEntry? {
        entries.removeValue(forKey: number)
    }

    /// Stops counting an entry after its report has been written.
    mutating func release(_ entry: ListEntry) {
        count -= 1
        byteCount -= entry.byteCount
    }
}

/// 64-bit fingerprints that represent URLs, which would need too much memory.
///
/// A fingerprint is a SipHash with a per-process key, so an attacker can't construct collisions.
/// When n URLs are compared with m others, the probability of a false match is n · m / 2⁶⁴.
enum Fingerprint {
    /// Returns the fingerprint of a URL.
    ///
    /// The URL must not contain a user name or password.
    static func of(_ url: String) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(url)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// Returns the fingerprint of an entry's request: its URL and origin.
    static func of(_ entry: ListEntry) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(entry.item.url)
        hasher.combine(entry.origin)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
