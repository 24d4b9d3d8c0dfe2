/// The known files in the cache directory, with the size and the last use of each entry.
///
/// This type performs no I/O.
struct DiskInventory: Sendable {
    /// The last use of an entry and the modification time of its file, in seconds since 1970.
    struct Use: Hashable, Sendable {
        /// The time of the last known use of the entry.
        var time: Int
        /// The modification time of the file; a use updates it at most once an hour.
        var modified: Int
    }

    struct Entry: Hashable, Sendable {
        var byteCount: Int
        var lastUse: Use
        /// The sequence number of the last use, which orders uses within the same second.
        ///
        /// It is 0 if this process has neither written nor read the file.
        var useNumber: Int

        var modified: Int { lastUse.modified }
    }

    private var entries: [EntryName: Entry] = [:]
    /// The sizes of the sidecars in bytes of allocated blocks.
    ///
    /// They are stored in a separate table, because most file systems need few or no sidecars.
    private var sidecarByteCounts: [EntryName: Int] = [:]
    /// The sequence number of the last use of any entry by this process.
    private(set) var lastUseNumber = 0
    /// The total size of all files in bytes of allocated blocks.
    private(set) var byteCount = 0
    /// The names of all processed images and thumbnails, grouped by the cache file name of their
    /// URL.
    private var images: [CacheFileName: [EntryName]] = [:]
    private(set) var thumbnailCount = 0
    /// The maximum number of thumbnails of different sizes kept for one image.
    private static let thumbnailLimit = 4

    var count: Int { entries.count }

    var items: [CacheDirectory.Item] {
        entries.keys.map(CacheDirectory.Item.entry)
            + sidecarByteCounts.keys.map(CacheDirectory.Item.sidecar)
    }

    subscript(name: EntryName) -> Entry? { entries[name] }

    /// Returns whether the last use of an entry has a higher sequence number than `number`.
    func wasUsed(_ name: EntryName, after number: Int) -> Bool {
        (entries[name]?.useNumber ?? 0) > number
    }

    /// Records that this process wrote or read a file.
    mutating func note(_ use: Use, of name: EntryName, byteCount: Int) {
        lastUseNumber += 1
        set(name, Entry(byteCount: byteCount, lastUse: use, useNumber: lastUseNumber))
    }

    /// Records that a file was found in the directory.
    ///
    /// If the inventory already contains a later use of the file, that use is kept.
    mutating func noteSeen(_ name: EntryName, byteCount: Int, _ use: Use) {
        var entry = Entry(byteCount: byteCount, lastUse: use, useNumber: 0)
        if let known = entries[name] {
            entry.useNumber = known.useNumber
            entry.lastUse.time = max(use.time, known.lastUse.time)
        }
        set(name, entry)
    }

    /// Records the size of an entry's sidecar; 0 means no sidecar.
    mutating func noteSidecar(of name: EntryName, byteCount newByteCount: Int) {
        byteCount += newByteCount - (sidecarByteCounts[name] ?? 0)
        sidecarByteCounts[name] = newByteCount > 0 ? newByteCount : nil
    }

    func hasSidecar(_ name: EntryName) -> Bool { sidecarByteCounts[name] != nil }

    /// Removes an entry whose file was deleted; its sidecar may still exist.
    mutating func remove(_ name: EntryName) {
        guard let entry = entries.removeValue(forKey: name) else { return }
        byteCount -= entry.byteCount
        guard name.isImage else { return }
        if name.isThumbnail { thumbnailCount -= 1 }
        images[name.file]?.removeAll { $0 == name }
        if images[name.file]?.isEmpty == true { images[name.file] = nil }
    }

    /// Returns the names of the processed images and thumbnails of one URL.
    func images(of file: CacheFileName) -> [EntryName] { images[file] ?? [] }

    /// Returns the names of the surplus thumbnails of one URL or file.
    ///
    /// The `thumbnailLimit` most recently used thumbnails are kept.
    func surplusThumbnails(of file: CacheFileName) -> [EntryName] {
        let thumbnails = images(of: file).filter(\.isThumbnail)
        guard thumbnails.count > Self.thumbnailLimit else { return [] }
        let uses = thumbnails.compactMap { name in entries[name].map { (name, $0) } }
        let newestFirst = uses.sorted { Self.rank($0.0, $0.1) > Self.rank($1.0, $1.1) }
        return newestFirst.dropFirst(Self.thumbnailLimit).map(\.0)
    }

    /// The cache file names of all URLs and files that have more than `thumbnailLimit` thumbnails.
    var filesWithSurplusThumbnails: [CacheFileName] {
        images.compactMap { file, names in
            names.count(where: \.isThumbnail) > Self.thumbnailLimit ? file : nil
        }
    }

    /// Returns the names of all entries in eviction order: partial bodies first, then the least
    /// recently used entries.
    ///
    /// Partial bodies are worth less than complete images. Sorting takes 50 ms for 100,000 files,
    /// so do not call this method while holding a lock.
    func oldestFirst() -> [EntryName] {
        entries.sorted { left, right in
            Self.rank(left.key, left.value) < Self.rank(right.key, right.value)
        }.map(\.key)
    }

    private static func rank(_ name: EntryName, _ entry: Entry) -> (Int, Int, Int) {
        (name.kind == .partial ? 0 : 1, entry.lastUse.time, entry.useNumber)
    }

    /// Returns the names of the entries whose files were last modified at or before `time`.
    ///
    /// The modification time of a file records when the entry was last used.
    func names(unusedSince time: Int) -> [EntryName] {
        entries.filter { $0.value.modified <= time }.map(\.key)
    }

    private mutating func set(_ name: EntryName, _ entry: Entry) {
        let replaced = entries.updateValue(entry, forKey: name)
        byteCount += entry.byteCount - (replaced?.byteCount ?? 0)
        guard replaced == nil, name.isImage else { return }
        images[name.file, default: []].append(name)
        if name.isThumbnail { thumbnailCount += 1 }
    }
}
