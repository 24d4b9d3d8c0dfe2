internal import Decoders

/// The two cache levels side by side, and the door to local bytes.
struct ImageCache: Sendable {
    let memory: MemoryCache
    /// nil where nothing is to be kept on disk.
    let disk: DiskCache?
    let files: LocalFiles
    /// The largest local file that is read, as large as the largest body from the network.
    let maximumByteCount: Int

    /// Keeps a downloaded picture: in memory at once, on disk soon (rows C8, M26, M31).
    ///
    /// A disk that was cleared since `generation` was read stays empty (row F29).
    func store(
        _ image: DecodedImage,
        bytes: [UInt8],
        for key: LoadKey,
        diskGeneration: CacheGeneration?
    ) {
        memory.insert(image, for: key.image)
        guard !key.staysInMemory else { return }
        disk?.store(bytes, for: key.url, begun: diskGeneration)
    }

    /// The bytes behind a `file:` or `data:` URL; nil for URLs of the network.
    func localBytes(
        of url: ImageURL,
        priority: LoadPriority
    ) async throws(ImageLoadingError) -> [UInt8]? {
        guard let path = url.filePath else { return try url.inlineBody() }
        return try await files.bytes(
            atPath: path,
            maximumByteCount: maximumByteCount,
            priority: priority
        )
    }
}
