/// Detects files that describe an image but are not next to it in the archive.
///
/// If an archive is shown as it is read, such files arrive too late, so they are only counted.
struct SeparateNotes: Sendable {
    /// The hashes of the keys of image groups.
    private var images: Set<Int> = []
    /// The numbers of files in groups without images, keyed by the hashes of their keys.
    private var notes: [Int: Int] = [:]

    /// The maximum number of keys of each kind, which take a few megabytes of memory.
    ///
    /// Files with further keys are not detected.
    private static let maximumCount = 1 << 18

    /// Adds a group with images and returns the number of earlier files with its key.
    mutating func takeImages(of key: ArraySlice<UInt8>) -> Int {
        let hash = key.hashValue
        if images.count < Self.maximumCount { images.insert(hash) }
        return notes.removeValue(forKey: hash) ?? 0
    }

    /// Adds a group of `count` files without images and returns whether an earlier group with its
    /// key has images.
    mutating func takeNotes(of key: ArraySlice<UInt8>, count: Int) -> Bool {
        let hash = key.hashValue
        guard !images.contains(hash) else { return true }
        if notes.count < Self.maximumCount { notes[hash, default: 0] += count }
        return false
    }
}
