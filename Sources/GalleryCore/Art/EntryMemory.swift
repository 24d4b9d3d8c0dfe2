import Synchronization

/// Remembers the palette entry found for each of some colours, for all threads.
///
/// Two threads that look for the same one at a time both find it, and write the same.
final class EntryMemory: @unchecked Sendable {
    // Proof for @unchecked: the pointer is never changed, and what it points to are atomics.
    private let entries: UnsafeMutablePointer<Atomic<UInt16>>
    private let keyCount: Int
    /// Tells entry 0 from one that is still to be looked for.
    private static let mark: UInt16 = 1 << 8

    /// Makes a memory for keys from 0 on.
    init(keyCount: Int) {
        self.keyCount = keyCount
        entries = .allocate(capacity: keyCount)
        for key in 0..<keyCount { (entries + key).initialize(to: Atomic(0)) }
    }

    deinit {
        entries.deinitialize(count: keyCount)
        entries.deallocate()
    }

    /// The entry of a key; looked for the first time.
    func entry(of key: Int, orLookFor look: (Int) -> UInt8) -> UInt8 {
        precondition((0..<keyCount).contains(key), "a key that was not provided for")
        let known = entries[key].load(ordering: .relaxed)
        guard known == 0 else { return UInt8(truncatingIfNeeded: known) }
        let entry = look(key)
        entries[key].store(Self.mark | UInt16(entry), ordering: .relaxed)
        return entry
    }
}
