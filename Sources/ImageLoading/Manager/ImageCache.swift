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

    init(_ configuration: ImageManagerConfiguration, clock: LoadingClock, tracer: Tracer) {
        memory = MemoryCache(byteLimit: configuration.memoryByteLimit, tracer: tracer)
        disk = configuration.disk.map {
            DiskCache(configuration: $0, clock: clock, tracer: tracer)
        }
        files = LocalFiles()
        maximumByteCount = configuration.downloader.maximumByteCount
    }

    /// What to hand to the caches at the end of a load that begins now.
    var generations: Generations {
        Generations(memory: memory.generation, disk: disk?.generation)
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
