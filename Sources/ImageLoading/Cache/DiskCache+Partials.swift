/// Beginnings of bodies, so that a later transfer can go on where an earlier one stopped.
///
/// Kept beside the bodies under names of their own and never returned as one. They count in the
/// budget, and are the first to go; `clear` and the storing of the whole body remove them.
extension DiskCache {
    /// The beginning of a URL's body; nil if there is none, if it is damaged, or if the task was
    /// cancelled.
    ///
    /// Counts as neither hit nor miss.
    public func partial(for url: ImageURL) async -> DiskEntry? {
        let key = key(of: url)
        if let staged = state.withLock({ $0.staged(key.partial, owner: key.owner) }) {
            return staged
        }
        // A cancelled look-up has nobody left to tell why.
        return try? await readers.run(priority: .high) { _ in
            self.read(key, .partial)
        }
    }

    /// Stores the beginning of a body, in place of an earlier one; `metadata` says what it takes to
    /// go on.
    ///
    /// Under the same rules as `store`.
    public func storePartial(
        _ bytes: [UInt8],
        metadata: [UInt8],
        for url: ImageURL,
        begun: CacheGeneration? = nil
    ) {
        stage(DiskEntry(bytes: bytes, metadata: metadata), as: .partial, for: url, begun: begun)
    }

    /// Removes the beginning of a URL's body; it is gone from the disk when this returns.
    public func removePartial(_ url: ImageURL) async {
        await remove([key(of: url).partial])
    }
}
