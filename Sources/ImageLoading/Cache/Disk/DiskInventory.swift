/// The known contents of the directory: name, size and last use of each entry.
///
/// This type is pure; it performs no I/O.
struct DiskInventory: Sendable {
    /// The time of the latest use of an entry, and the modification time of its file, both in
    /// seconds since 1970.
    struct Use: Hashable, Sendable {
        /// The time of the latest known use of the entry.
        var time: Int
        /// The modification time of the file, which is updated by uses at most once an hour.
        var modified: Int
    }

    struct Entry: Hashable, Sendable {
        var byteCount: Int
        var lastUse: Use
        /// The sequence number of the latest use, which orders uses within the same second; 0 for a
        /// file that only the scan has seen.
        var useNumber: Int

        var modified: Int { lastUse.modified }
    }

    private var entries: [EntryName: Entry] = [:]
    /// The sizes of the sidecars in bytes of allocated blocks.
    ///
    /// Most file systems need few or no sidecars, so their sizes are stored in a separate table.
    private var sidecarByteCounts: [EntryName: Int] = [:]
    /// The sequence number of the latest use of any entry by this process.
    private(set) var lastUseNumber = 0
    /// The total size of all files in bytes of allocated blocks.
    private(set) var byteCount = 0
    /// The names of all entries that are images, grouped by the cache file name of the image's URL.
    private var images: [CacheFileName: [EntryName]] = [:]
    private(set) var thumbnailCount = 0
    /// The maximum number of thumbnails kept for one image, in different sizes.
    private static let thumbnailLimit = 4

    var count: Int { entries.count }

    /// All known files of the cache.
    var items: [CacheDirectory.Item] {
        entries.keys.map(CacheDirectory.Item.entry)
            + sidecarByteCounts.keys.map(CacheDirectory.Item.sidecar)
    }

    subscript(name: EntryName) -> Entry? { entries[name] }

    /// Returns whether an entry was used after the use with this sequence number.
    func wasUsed(_ name: EntryName, after number: Int) -> Bool {
        (entries[name]?.useNumber ?? 0) > number
    }

    /// Records that a file was written or read.
    mutating func note(_ use: Use, of name: EntryName, byteCount: Int) {
        lastUseNumber += 1
        set(name, Entry(byteCount: byteCount, lastUse: use, useNumber: lastUseNumber))
    }

    /// Records that a scan has found a file.
    ///
    /// The latest known use is kept, unless another process used the file later.
    mutating func noteSeen(_ name: EntryName, byteCount: Int, _ use: Use) {
        var entry = Entry(byteCount: byteCount, lastUse: use, useNumber: 0)
        if let known = entries[name] {
            entry.useNumber = known.useNumber
            entry.lastUse.time = max(use.time, known.lastUse.time)
        }
        set(name, entry)
    }

    /// Records the size of an entry's sidecar; 0 means that it has none.
    mutating func noteSidecar(of name: EntryName, byteCount newByteCount: Int) {
        byteCount += newByteCount - (sidecarByteCounts[name] ?? 0)
        sidecarByteCounts[name] = newByteCount > 0 ? newByteCount : nil
    }

    func hasSidecar(_ name: EntryName) -> Bool { sidecarByteCounts[name] != nil }

    /// Removes an entry that was deleted; its sidecar may still exist.
    mutating func remove(_ name: EntryName) {
        guard let entry = entries.removeValue(forKey: name) else { return }
        byteCount -= entry.byteCount
        guard name.isImage else { return }
        if name.isThumbnail { thumbnailCount -= 1 }
        images[name.file]?.removeAll { $0 == name }
        if images[name.file]?.isEmpty == true { images[name.file] = nil }
    }

    /// Returns the names of the images made from the body of one URL.
    func images(of file: CacheFileName) -> [EntryName] { images[file] ?? [] }

    /// Returns the names of the thumbnails of one URL or file, except the `thumbnailLimit` most
    /// recently used thumbnails.
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

    /// Returns the names of all entries in the order of eviction: partial bodies first, because
    /// complete images are worth more, then the least recently used entries.
    ///
    /// Sorting takes 50 ms for 100,000 files, so do not call this while holding a lock.
    func oldestFirst() -> [EntryName] {
        entries.sorted { left, right in
            Self.rank(left.key, left.value) < Self.rank(right.key, right.value)
        }.map(\.key)
    }

    private static func rank(_ name: EntryName, _ entry: Entry) -> (Int, Int, Int) {
        (name.kind == .partial ? 0 : 1, entry.lastUse.time, entry.useNumber)
    }

    /// Returns the names of the entries whose files were last used at or before `time`.
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
