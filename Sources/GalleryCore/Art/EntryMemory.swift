import Synchronization

/// Remembers the palette entry found for each of some colours, for all threads.
///
/// Two threads that look for the same one at a time both find it, and write the same.
final class EntryMemory: @unchecked Sendable {
    // Proof for @unchecked: the pointer is never changed, and what it points to are atomics.
    private let entries: UnsafeMutablePointer<Atomic<UInt8>>
    private let keyCount: Int

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

    /// The entry of a key, which is not 0; looked for the first time.
    func entry(of key: Int, orLookFor look: (Int) -> UInt8) -> UInt8 {
        precondition((0..<keyCount).contains(key), "a key that was not provided for")
        let known = entries[key].load(ordering: .relaxed)
        guard known == 0 else { return known }
        let entry = look(key)
        entries[key].store(entry, ordering: .relaxed)
        return entry
    }
}
