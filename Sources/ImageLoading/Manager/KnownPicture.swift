/// What is there of a picture when its server is about to be asked for it.
struct KnownPicture: Sendable {
    /// On disk; nil if there is nothing, or nothing that may be used.
    var body: CachedBody?
    /// Decoded, and told to the listeners; only when it is to be refreshed (row M15).
    var shown: ImageResponse?
    /// Nil if the disk wasn't asked for a beginning, or may have another one by now.
    var partial: PartialLookup?

    static let nothing = KnownPicture()
}

/// What a look at the disk for the beginning of a body came to.
struct PartialLookup: Sendable {
    /// What is there.
    var partial: PartialBody?
    /// The picture, if that is enough.
    var answer: ImageResponse?
}
