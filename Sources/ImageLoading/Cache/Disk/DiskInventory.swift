/// What is in the directory as far as it is known: name, size and last use of each entry.
///
/// Pure.
struct DiskInventory: Sendable {
    /// Times in seconds since 1970.
    struct Use: Hashable, Sendable {
        /// When an entry was used, as far as it is known.
        var time: Int
        /// As the file says, which is told of a use once an hour only.
        var modified: Int
    }

    struct Entry: Hashable, Sendable {
        var byteCount: Int
        var lastUse: Use
        /// Orders uses within a second; 0 for files that were only seen by the scan.
        var useNumber: Int

        var modified: Int { lastUse.modified }
    }

    private var entries: [EntryName: Entry] = [:]
    /// Few or none on most file systems, so they have a table of their own.
    private var sidecarByteCounts: [EntryName: Int] = [:]
    /// The number of the latest use in this process.
    private(set) var lastUseNumber = 0
    /// Bytes of allocated blocks.
    private(set) var byteCount = 0
    /// The images among the entries, by what they were made of.
    private var images: [CacheFileName: [EntryName]] = [:]
    private(set) var thumbnailCount = 0
    /// The most thumbnails that are kept of one picture, of different sizes.
    private static let thumbnailLimit = 4

    var count: Int { entries.count }

    /// Everything that is known to be there.
    var items: [CacheDirectory.Item] {
        entries.keys.map(CacheDirectory.Item.entry)
            + sidecarByteCounts.keys.map(CacheDirectory.Item.sidecar)
    }

    subscript(name: EntryName) -> Entry? { entries[name] }

    /// Whether a file was used after the use with this number.
    func wasUsed(_ name: EntryName, after number: Int) -> Bool {
        (entries[name]?.useNumber ?? 0) > number
    }

    /// A file was written or read.
    mutating func note(_ use: Use, of name: EntryName, byteCount: Int) {
        lastUseNumber += 1
        set(name, Entry(byteCount: byteCount, lastUse: use, useNumber: lastUseNumber))
    }

    /// A scan saw a file; what is known of its use stays known, unless another process used it
    /// later.
    mutating func noteSeen(_ name: EntryName, byteCount: Int, _ use: Use) {
        var entry = Entry(byteCount: byteCount, lastUse: use, useNumber: 0)
        if let known = entries[name] {
            entry.useNumber = known.useNumber
            entry.lastUse.time = max(use.time, known.lastUse.time)
        }
        set(name, entry)
    }

    /// A file has a sidecar of this size, or none any more if that is 0.
    mutating func noteSidecar(of name: EntryName, byteCount newByteCount: Int) {
        byteCount += newByteCount - (sidecarByteCounts[name] ?? 0)
        sidecarByteCounts[name] = newByteCount > 0 ? newByteCount : nil
    }

    func hasSidecar(_ name: EntryName) -> Bool { sidecarByteCounts[name] != nil }

    /// A file is gone; its sidecar may still be there.
    mutating func remove(_ name: EntryName) {
        guard let entry = entries.removeValue(forKey: name) else { return }
        byteCount -= entry.byteCount
        guard name.isImage else { return }
        if name.isThumbnail { thumbnailCount -= 1 }
        images[name.file]?.removeAll { $0 == name }
        if images[name.file]?.isEmpty == true { images[name.file] = nil }
    }

    /// What was made of the body of one URL.
    func images(of file: CacheFileName) -> [EntryName] { images[file] ?? [] }

    /// The thumbnails of one URL or file that are more than enough, the longest unused.
    func surplusThumbnails(of file: CacheFileName) -> [EntryName] {
        let thumbnails = images(of: file).filter(\.isThumbnail)
        guard thumbnails.count > Self.thumbnailLimit else { return [] }
        let uses = thumbnails.compactMap { name in entries[name].map { (name, $0) } }
        let newestFirst = uses.sorted { Self.rank($0.0, $0.1) > Self.rank($1.0, $1.1) }
        return newestFirst.dropFirst(Self.thumbnailLimit).map(\.0)
    }

    /// What has more thumbnails than are enough.
    var filesWithSurplusThumbnails: [CacheFileName] {
        images.compactMap { file, names in
            names.count(where: \.isThumbnail) > Self.thumbnailLimit ? file : nil
        }
    }

    /// All files in the order in which they may go: partials first, since an image that is whole
    /// is worth more, then the one that was not used for longest.
    ///
    /// Sorts; a call costs 50 ms for 100,000 files, so keep it out of locks.
    func oldestFirst() -> [EntryName] {
        entries.sorted { left, right in
            Self.rank(left.key, left.value) < Self.rank(right.key, right.value)
        }.map(\.key)
    }

    private static func rank(_ name: EntryName, _ entry: Entry) -> (Int, Int, Int) {
        (name.kind == .partial ? 0 : 1, entry.lastUse.time, entry.useNumber)
    }

    /// Files that were last used at `time` or before; equal counts as expired.
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
