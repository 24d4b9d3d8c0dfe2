/// How files are named after their URL.
///
/// A cache uses one of the two for everything; what was stored under the other is not found any
/// more, and leaves as the longest unused.
public enum CacheFileNaming: Hashable, Sendable {
    /// MD5, as SDWebImage 3.x does (row C7).
    ///
    /// Two URLs with the same MD5 can be made on purpose. They then share one file, but never a
    /// picture: the entry says whose it is (row E7).
    case md5
    /// The first 32 digits of SHA-256: no two URLs with the same name are known.
    case sha256
}
