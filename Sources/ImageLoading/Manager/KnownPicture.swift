/// What is there of a picture when its server is about to be asked for it.
struct KnownPicture: Sendable {
    /// On disk; nil if there is nothing, or nothing that may be used.
    var body: CachedBody?
    /// Decoded, and told to the listeners; only when it is to be refreshed (row M15).
    var shown: ImageResponse?

    static let nothing = KnownPicture()
}
