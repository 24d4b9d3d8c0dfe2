internal import Decoders

/// The two cache levels side by side, and the door to local bytes.
struct ImageCache: Sendable {
    let memory: MemoryCache
    /// nil where nothing is to be kept on disk.
    let disk: DiskCache?
    let files: LocalFiles
    /// The largest local file that is read, as large as the largest body from the network.
    let maximumByteCount: Int

    /// The generation of each level when a load began.
    struct Generations: Sendable {
        let memory: CacheGeneration
        /// nil without a disk.
        let disk: CacheGeneration?
    }

    /// What to hand to `keep` at the end of a load that begins now.
    var generations: Generations {
        Generations(memory: memory.generation, disk: disk?.generation)
    }

    /// Keeps a picture in memory at once (row M31), unless memory was cleared since (row F29).
    func keep(_ image: DecodedImage, for key: LoadKey, begun: Generations) {
        memory.insert(image, for: key.image, begun: begun.memory)
    }

    /// Keeps a downloaded body on disk soon (rows C8, M26), unless the disk was cleared since (row
    /// F29).
    func keep(_ bytes: [UInt8], for key: LoadKey, begun: Generations) {
        guard !key.staysInMemory else { return }
        disk?.store(bytes, for: key.url, begun: begun.disk)
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
