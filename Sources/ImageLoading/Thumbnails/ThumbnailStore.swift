internal import Decoders
internal import SystemSupport

/// Saves images on disk in the background, at the size at which they were shown.
///
/// This type is thread-safe. One thread compresses the images. Its nice value is higher than that
/// of all other threads, so images that are about to be shown never wait for it. The total size of
/// waiting images is limited, and images beyond the limit are dropped. All waiting images are
/// dropped if memory is short or the program ends. A dropped image only has to be decoded again
/// later.
final class ThumbnailStore: Sendable {
    /// The maximum total size of the waiting images and bodies, in bytes.
    private static let pendingByteLimit = 16 << 20
    /// The size of the largest body or file that gets no thumbnail, in bytes.
    ///
    /// The thumbnail would take as much space and save only 0.2 ms.
    private static let leastByteCount = 4 << 10

    private struct State {
        var pendingByteCount = 0
        var isPaused = false
        var isStopped = false

        /// Reserves space in the queue; returns false if the queue is full or accepts no images.
        ///
        /// If the queue is empty, an image of any size fits. While the store is paused or stopped,
        /// the queue accepts no images.
        mutating func add(_ byteCount: Int, limit: Int) -> Bool {
            guard !isPaused, !isStopped,
                pendingByteCount == 0 || byteCount <= limit - pendingByteCount
            else { return false }
            pendingByteCount += byteCount
            return true
        }
    }

    /// The source that an image was made from.
    enum Origin: Sendable {
        /// A body that is stored on disk or will be stored soon.
        case body([UInt8])
        /// A partial body that is stored on the disk.
        case partial([UInt8])
        /// A file with its device, inode, length and times before it was read.
        case file(LocalPicture, FileStamp)

        var byteCount: Int {
            switch self {
            case .body(let bytes), .partial(let bytes): bytes.count
            case .file: 0
            }
        }
    }

    private let disk: DiskCache
    private let files: LocalFiles
    private let formats: [String: ImageFormat]
    private let limits: DecodingLimits
    private let clock: LoadingClock
    private let packer: WorkerPool
    private let state = Protected(State())

    /// Creates a store.
    ///
    /// `registry` determines the formats of the images, and `limits` their maximum sizes.
    init(
        disk: DiskCache,
        files: LocalFiles,
        registry: DecoderRegistry,
        limits: DecodingLimits,
        clock: LoadingClock
    ) {
        (self.disk, self.files, self.limits, self.clock) = (disk, files, limits, clock)
        formats = Dictionary(
            registry.formats.map { ($0.rawValue, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        packer = WorkerPool(name: "thumbnails", threadCount: 1, niceness: 19, order: .oldestFirst)
    }

    // MARK: Finding

    /// Returns the thumbnail of a URL's body.
    ///
    /// Returns nil if there is no such thumbnail, or if the task was cancelled.
    func thumbnail(
        for image: ImageKey,
        of url: ImageURL,
        priority: LoadPriority
    ) async -> DiskCache.FoundThumbnail? {
        let (disk, formats) = (disk, formats)
        // If the task was cancelled, no caller needs the error.
        let found = try? await disk.readers.run(priority: priority) { _ in
            disk.readThumbnail(image, of: url, formats: formats)
        }
        return found.flatMap(\.self).flatMap { isAllowed($0.image) ? $0 : nil }
    }

    struct LocalLookup: Sendable {
        /// The current `FileStamp` of the file; nil if it cannot be determined.
        var stamp: FileStamp?
        /// The thumbnail of the file; nil if it was not requested or does not exist.
        var image: DecodedImage?
    }

    /// Returns the current `FileStamp` of a local file and, if `reads` is true, its thumbnail.
    func look(
        at picture: LocalPicture,
        _ url: ImageURL,
        for image: ImageKey,
        reads: Bool,
        priority: LoadPriority
    ) async -> LocalLookup {
        let (disk, formats) = (disk, formats)
        let found = try? await files.readers.run(priority: priority) { _ in
            guard let stamp = FileStamp(ofFile: picture.path) else { return LocalLookup() }
            let image =
                reads
                ? disk.readThumbnail(image, of: picture, url, stamp, formats: formats) : nil
            return LocalLookup(stamp: stamp, image: image)
        }
        guard var found else { return LocalLookup() }
        if let image = found.image, !isAllowed(image) { found.image = nil }
        return found
    }

    /// Returns whether an image is within the limits.
    ///
    /// The decoders would reject a larger image, so its thumbnail is not shown either.
    private func isAllowed(_ image: DecodedImage) -> Bool {
        let size = image.properties.size
        return size.pixelCount <= limits.maximumPixelCount
            && max(size.width, size.height) <= limits.maximumSide
    }

    // MARK: Storing

    /// Stores an image as a thumbnail in the background.
    ///
    /// The image is dropped if it is too large, if its source is so small that a thumbnail saves no
    /// time, or if the queue is full.
    func keep(
        _ image: DecodedImage,
        for key: ImageKey,
        of url: ImageURL,
        madeFrom origin: Origin,
        begun: CacheGeneration?
    ) {
        guard isWorthKeeping(origin),
            image.pixels.size.pixelCount <= StoredThumbnail.maximumPixelCount
        else { return }
        let cost = image.pixels.bytes.count + origin.byteCount
        guard state.withLock({ $0.add(cost, limit: Self.pendingByteLimit) }) else { return }
        packer.submit(priority: .low) { [self] in
            defer { state.withLock { $0.pendingByteCount -= cost } }
            guard state.withLock({ !$0.isStopped && !$0.isPaused }) else { return }
            store(image, for: key, of: url, madeFrom: origin, begun: begun)
        }
    }

    private func isWorthKeeping(_ origin: Origin) -> Bool {
        switch origin {
        case .body(let bytes), .partial(let bytes): bytes.count > Self.leastByteCount
        case .file(let picture, let stamp):
            !picture.member.isEmpty || stamp.byteCount > UInt64(Self.leastByteCount)
        }
    }

    /// Compresses and stores an image; call this method only on the thread of `packer`.
    private func store(
        _ image: DecodedImage,
        for key: ImageKey,
        of url: ImageURL,
        madeFrom origin: Origin,
        begun: CacheGeneration?
    ) {
        let source: ThumbnailSource =
            switch origin {
            case .body(let bytes): .body(ContentChecksum(of: bytes))
            case .partial(let bytes): .partial(ContentChecksum(of: bytes))
            case .file(_, let stamp): .file(stamp)
            }
        guard let bytes = StoredThumbnail(image, madeFrom: source)?.encoded() else { return }
        switch origin {
        case .body, .partial: disk.storeThumbnail(bytes, for: key, of: url, begun: begun)
        case .file(let picture, let stamp):
            // Store the thumbnail only if the file did not change while it was read, and if its
            // next change will have a different stamp.
            guard FileStamp(ofFile: picture.path) == stamp, stamp.isSettled(at: clock.wallTime())
            else { return }
            disk.storeThumbnail(bytes, for: key, of: picture, url, stamp, begun: begun)
        }
    }

    /// Whether the store is paused because of memory pressure.
    ///
    /// While the store is paused, waiting images are dropped, and new images are not accepted.
    var isPaused: Bool {
        get { state.withLock { $0.isPaused } }
        set { state.withLock { $0.isPaused = newValue } }
    }

    /// Drops waiting images and accepts no new ones, because the program is ending.
    func stop() {
        state.withLock { $0.isStopped = true }
    }

    /// Waits until all images accepted before this call have been passed to the disk cache.
    func settle() async {
        guard state.withLock({ $0.pendingByteCount > 0 }) else { return }
        await packer.runToEnd(priority: .low) {}
    }
}

extension ThumbnailStore {
    /// Creates the store of an engine.
    ///
    /// Returns nil if the engine stores nothing on disk, or if a hook changes the stored bodies. If
    /// a program encrypts bodies, unencrypted images must not be stored next to them.
    static func of(
        _ cache: ImageCache,
        _ decoding: DecodeStage,
        _ hooks: LoadingHooks
    ) -> ThumbnailStore? {
        guard let disk = cache.disk, hooks.bodyToStore == nil else { return nil }
        return ThumbnailStore(
            disk: disk,
            files: cache.files,
            registry: decoding.registry,
            limits: decoding.limits,
            clock: decoding.clock
        )
    }
}
