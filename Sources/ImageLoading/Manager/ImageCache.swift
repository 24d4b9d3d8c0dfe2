internal import Decoders
internal import Glibc
package import SystemSupport

/// The memory cache, the disk cache, and access to local bytes.
struct ImageCache: Sendable {
    let memory: MemoryCache
    /// The disk cache, or nil if nothing is stored on disk.
    let disk: DiskCache?
    let files: LocalFiles
    /// The maximum size of a local file in bytes; the limit for bodies from the network is the
    /// same.
    let maximumByteCount: Int

    /// The generation of each cache when a load began; clearing a cache starts a new generation.
    struct Generations: Sendable {
        let memory: CacheGeneration
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

    /// The current generations, which a load reads at its start and passes when it stores data.
    var generations: Generations {
        Generations(memory: memory.generation, disk: disk?.generation)
    }

    /// Returns the bytes of an image on this machine or in a `data:` URL; nil for other images.
    func localBytes(
        of key: LoadKey,
        priority: LoadPriority
    ) async throws(ImageLoadingError) -> [UInt8]? {
        let limit = maximumByteCount
        if let data = key.localData {
            return try await files.bytes(of: data, maximumByteCount: limit, priority: priority)
        }
        guard let path = key.url.filePathBytes else { return try key.url.inlineBody() }
        return try await files.bytes(
            atPath: FileText.text(path),
            maximumByteCount: limit,
            priority: priority
        )
    }
}

extension ImageCache {
    /// Returns the first `byteCount` bytes of an image on this machine and the image's total size
    /// in bytes.
    ///
    /// Returns nil if the image is not longer than `byteCount` or cannot be read partially.
    func localPrefix(
        of key: LoadKey,
        byteCount: Int,
        priority: LoadPriority
    ) async -> (bytes: [UInt8], totalByteCount: Int)? {
        if let data = key.localData {
            let prefix = await files.prefix(of: data, byteCount: byteCount, priority: priority)
            return prefix.map { ($0, data.byteCount) }
        }
        guard let path = key.url.filePathBytes else { return nil }
        return await files.prefix(
            ofPath: FileText.text(path),
            byteCount: byteCount,
            priority: priority
        )
    }
}

/// Reads local files, and local data from the program's image sources, on its own threads.
///
/// Symbolic links are followed. Pipes, devices and directories are refused without waiting.
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
        case .failure(let problem):
            throw ImageLoadingError(problem, maximumByteCount: maximumByteCount)
        }
    }

    /// Returns the bytes of an image from a source; throws if they exceed `maximumByteCount`.
    func bytes(
        of data: any LocalImageData,
        maximumByteCount: Int,
        priority: LoadPriority
    ) async throws(ImageLoadingError) -> [UInt8] {
        let result = try await result(priority) { () throws(ImageLoadingError) in
            try data.bytes(maximumByteCount: maximumByteCount)
        }
        return try Self.filled(result.get())
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

    /// Returns the first `byteCount` bytes of an image that a source provides, or nil if the image
    /// is not longer than `byteCount` or cannot be read partially.
    func prefix(
        of data: any LocalImageData,
        byteCount: Int,
        priority: LoadPriority
    ) async -> [UInt8]? {
        let result = try? await readers.run(priority: priority) { _ in
            data.prefix(byteCount: byteCount)
        }
        return result.flatMap { $0 }
    }

    /// Returns the first `byteCount` bytes of a file and its length, or nil if the file is not
    /// longer than `byteCount` or cannot be read.
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
        _ kind: ImageLoadingError.Class,
        _ reason: ImageLoadingError.Reason
    ) -> ImageLoadingError {
        ImageLoadingError(stage: .cache, kind: kind, reason: reason)
    }
}

extension ImageLoadingError {
    /// Creates the error for a local file that could not be read.
    package init(_ problem: FileReading.Problem, maximumByteCount: Int) {
        let (kind, reason): (Class, Reason) =
            switch problem {
            case .notRegular: (.permanent, .unreadableFile("not a regular file"))
            case .unexpectedSize: (.permanent, .tooLarge(limit: maximumByteCount))
            case .failure(let failure):
                (
                    [EIO, EMFILE, ENFILE, ENOMEM, ESTALE].contains(failure.code)
                        ? .transient : .permanent, .unreadableFile(failure.text)
                )
            }
        self.init(stage: .cache, kind: kind, reason: reason)
    }
}
