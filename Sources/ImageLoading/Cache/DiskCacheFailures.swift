/// What went wrong on the disk.
///
/// None of it fails a load: the cache just doesn't have the picture.
public struct DiskCacheFailures: Hashable, Sendable {
    /// Bodies that were not stored: a full disk, a directory that can't be written.
    public var writeCount = 0
    /// Look-ups that ended in an error other than "no such file", and damaged files.
    public var readCount = 0
    /// Files that were found damaged and deleted: torn by a crash, changed by whoever or whatever.
    public var damagedCount = 0
    /// Files that could not be deleted; they go on counting.
    public var deleteCount = 0
    /// The latest failure in words, for people; nil if there was none.
    public var lastText: String?

    /// Makes a record without failures.
    public init() {}
}
