internal import Decoders

/// Keeps images on disk as they were shown, behind everybody's back, and finds them again.
///
/// Thread-safe. Images are packed by one thread that is nicer than all others, so that nothing on its
/// way to the screen waits for them. What waits for it is bounded, and what comes on top, when memory is
/// short or when the program ends is dropped: all that is lost is the time of a decode.
final class ThumbnailStore: Sendable {
    /// The most bytes of images and bodies that wait.
    private static let pendingByteLimit = 16 << 20
    /// The thumbnail of a file that is no longer would take as much room, to save 0.2 ms.
    private static let leastByteCount = 4 << 10

    private struct State {
        var pendingByteCount = 0
        var isPaused = false
        var isStopped = false

        /// Makes room for what waits; false if there is none, which one alone always has.
        mutating func add(_ byteCount: Int, limit: Int) -> Bool {
            guard !isPaused, !isStopped,
                pendingByteCount == 0 || byteCount <= limit - pendingByteCount
            else { return false }
            pendingByteCount += byteCount
            return true
        }
    }

    /// What an image was made of.
    enum Origin: Sendable {
        /// A body as it lies on the disk, or is about to.
        case body([UInt8])
        /// Part of one as it lies on the disk.
        case partial([UInt8])
        /// A file that had this stamp before it was read.
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

    /// `registry` has the formats that images may be of, and `limits` how large they may be.
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

    /// The thumbnail of a URL's body; nil if there is none, or if the task was cancelled.
    func thumbnail(
        for image: ImageKey,
        of url: ImageURL,
        priority: LoadPriority
    ) async -> DiskCache.FoundThumbnail? {
        let (disk, formats) = (disk, formats)
        // Cancelled: the caller is gone, and with it the reason to say why.
        let found = try? await disk.readers.run(priority: priority) { _ in
            disk.readThumbnail(image, of: url, formats: formats)
        }
        return found.flatMap(\.self).flatMap { isAllowed($0.image) ? $0 : nil }
    }

    /// What a look at a local file comes to.
    struct LocalLookup: Sendable {
        /// What the file is at this moment; nil if it can't be told.
        var stamp: FileStamp?
        /// Its thumbnail, if it is wanted and there is one.
        var image: DecodedImage?
    }

    /// Looks at a local file, and if `reads` for its thumbnail.
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

    /// What would be refused if it were decoded is not shown either.
    private func isAllowed(_ image: DecodedImage) -> Bool {
        let size = image.properties.size
        return size.pixelCount <= limits.maximumPixelCount
            && max(size.width, size.height) <= limits.maximumSide
    }

    // MARK: Keeping

    /// Keeps an image soon, or not at all.
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

    /// On the packer's thread.
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
            // The file that was read is the one that was looked at, and will not become another one
            // that looks the same.
            guard FileStamp(ofFile: picture.path) == stamp, stamp.isSettled(at: clock.wallTime())
            else { return }
            disk.storeThumbnail(bytes, for: key, of: picture, url, stamp, begun: begun)
        }
    }

    /// Whether memory is short: then what waits is dropped, and nothing is kept.
    var isPaused: Bool {
        get { state.withLock { $0.isPaused } }
        set { state.withLock { $0.isPaused = newValue } }
    }

    /// Drops what waits, and keeps nothing more: the program ends.
    func stop() {
        state.withLock { $0.isStopped = true }
    }

    /// Returns when what was to be kept so far has been handed to the disk cache.
    func settle() async {
        guard state.withLock({ $0.pendingByteCount > 0 }) else { return }
        await packer.runToEnd(priority: .low) {}
    }
}

extension ThumbnailStore {
    /// That of an engine; nil where nothing is kept on disk, or where a hook changes what is: a program
    /// that encrypts bodies would not have its pictures lie beside them in clear.
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
