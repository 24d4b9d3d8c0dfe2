internal import Decoders
internal import Glibc

/// The memory cache, the disk cache and the access to local bytes.
struct ImageCache: Sendable {
    let memory: MemoryCache
    /// The disk cache, or nil if nothing is stored on disk.
    let disk: DiskCache?
    let files: LocalFiles
    /// The maximum size in bytes of a local file that is read, equal to the limit for bodies from
    /// the network.
    let maximumByteCount: Int

    /// The generation of each cache level when a load began.
    struct Generations: Sendable {
        let memory: CacheGeneration
        /// The generation of the disk cache, or nil if there is no disk cache.
        let disk: CacheGeneration?
    }

    init(_ configuration: ImageManagerConfiguration, clock: LoadingClock, tracer: Tracer) {
        memory = MemoryCache(
            byteLimit: configuration.memoryByteLimit,
            clock: clock,
            tracer: tracer
        )
        disk = configuration.disk.map {
            DiskCache(configuration: $0, clock: clock, tracer: tracer)
        }
        files = LocalFiles()
        maximumByteCount = configuration.downloader.maximumByteCount
    }

    /// The current generations, which a load that begins now must pass to the caches at its end.
    var generations: Generations {
        Generations(memory: memory.generation, disk: disk?.generation)
    }

    /// Returns the bytes of a `file:`, `archive:` or `data:` URL, or nil for a network URL.
    func localBytes(
        of url: ImageURL,
        priority: LoadPriority
    ) async throws(ImageLoadingError) -> [UInt8]? {
        let limit = maximumByteCount
        if let file = url.archivedFile {
            return try await files.bytes(of: file, maximumByteCount: limit, priority: priority)
        }
        guard let path = url.filePathBytes else { return try url.inlineBody() }
        return try await files.bytes(
            atPath: FileText.text(path),
            maximumByteCount: limit,
            priority: priority
        )
    }
}

extension ImageCache {
    /// Returns the first bytes of a `file:` or `archive:` URL and the total number of bytes.
    ///
    /// Returns nil if the file is not longer than the prefix or cannot be read.
    func localPrefix(
        of url: ImageURL,
        byteCount: Int,
        priority: LoadPriority
    ) async -> (bytes: [UInt8], totalByteCount: Int)? {
        if let file = url.archivedFile {
            let prefix = await files.prefix(of: file, byteCount: byteCount, priority: priority)
            return prefix.map { ($0, file.byteCount) }
        }
        guard let path = url.filePathBytes else { return nil }
        return await files.prefix(
            ofPath: FileText.text(path),
            byteCount: byteCount,
            priority: priority
        )
    }
}

/// Reads local files for `file:` URLs on its own threads.
///
/// Symbolic links are followed. Pipes, devices and directories are refused immediately, without
/// waiting.
struct LocalFiles: Sendable {
    let readers = WorkerPool(name: "file-read", threadCount: 2)

    /// Returns the content of a file, or throws if the file is larger than `maximumByteCount`
    /// bytes.
    func bytes(
        atPath path: String,
        maximumByteCount: Int,
        priority: LoadPriority
    ) async throws(ImageLoadingError) -> [UInt8] {
        let result = try await result(priority) { () throws(FileReading.Problem) in
            try FileReading.contents(
                of: path,
                maximumByteCount: maximumByteCount,
                followsLinks: true
            ).bytes
        }
        switch result {
        case .success(let bytes): return try Self.filled(bytes)
        case .failure(let problem): throw Self.error(problem, maximumByteCount: maximumByteCount)
        }
    }

    /// Returns the content of a file in an archive, or throws if the file is larger than
    /// `maximumByteCount` bytes.
    func bytes(
        of file: ArchivedFile,
        maximumByteCount: Int,
        priority: LoadPriority
    ) async throws(ImageLoadingError) -> [UInt8] {
        let result = try await result(priority) { () throws(ArchiveProblem) in
            try file.contents(maximumByteCount: maximumByteCount)
        }
        switch result {
        case .success(let bytes): return try Self.filled(bytes)
        case .failure(.file(let problem)):
            throw Self.error(problem, maximumByteCount: maximumByteCount)
        case .failure(.changed):
            throw Self.error(.permanent, .unreadableFile("the archive has changed; open it again"))
        case .failure(.damaged(let text)): throw Self.error(.permanent, .unreadableFile(text))
        case .failure(.tooLarge):
            throw Self.error(.permanent, .tooLarge(limit: maximumByteCount))
        }
    }

    private func result<Problem: Error>(
        _ priority: LoadPriority,
        _ read: @escaping @Sendable () throws(Problem) -> [UInt8]
    ) async throws(ImageLoadingError) -> Result<[UInt8], Problem> {
        let result = try? await readers.run(priority: priority) { _ in
            Result { () throws(Problem) in try read() }
        }
        if let result { return result }
        guard !Task.isCancelled else { throw .cancelled }
        throw Self.error(.transient, .outOfResources("cannot start a reading thread"))
    }

    private static func filled(_ bytes: [UInt8]) throws(ImageLoadingError) -> [UInt8] {
        guard !bytes.isEmpty else { throw error(.permanent, .emptyBody) }
        return bytes
    }

    /// Returns the first bytes of a file in an archive, or nil if the file is not longer than
    /// `byteCount` or cannot be read in part.
    func prefix(
        of file: ArchivedFile,
        byteCount: Int,
        priority: LoadPriority
    ) async -> [UInt8]? {
        let result = try? await readers.run(priority: priority) { _ in
            try? file.prefix(byteCount: byteCount)
        }
        return result.flatMap { $0 }.flatMap { $0 }
    }

    /// Returns the first bytes of a file and its length, or nil if the file is not longer than
    /// `byteCount` or cannot be read.
    func prefix(
        ofPath path: String,
        byteCount: Int,
        priority: LoadPriority
    ) async -> (bytes: [UInt8], totalByteCount: Int)? {
        let result = try? await readers.run(priority: priority) { _ in
            try? FileReading.withFile(at: path, followsLinks: true) {
                file,
                facts throws(FileReading.Problem) -> (bytes: [UInt8], totalByteCount: Int)? in
                guard facts.byteCount > byteCount else { return nil }
                return (try FileReading.read(file, count: byteCount), facts.byteCount)
            }
        }
        return result.flatMap { $0 }.flatMap { $0 }
    }

    private static func error(
        _ problem: FileReading.Problem,
        maximumByteCount: Int
    ) -> ImageLoadingError {
        switch problem {
        case .notRegular: error(.permanent, .unreadableFile("not a regular file"))
        case .unexpectedSize: error(.permanent, .tooLarge(limit: maximumByteCount))
        case .failure(let failure):
            error(
                [EIO, EMFILE, ENFILE, ENOMEM, ESTALE].contains(failure.code)
                    ? .transient : .permanent,
                .unreadableFile(failure.text)
            )
        }
    }

    private static func error(
        _ kind: ImageLoadingError.Class,
        _ reason: ImageLoadingError.Reason
    ) -> ImageLoadingError {
        ImageLoadingError(stage: .cache, kind: kind, reason: reason)
    }
}
