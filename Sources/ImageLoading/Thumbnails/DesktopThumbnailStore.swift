internal import Decoders
internal import Glibc
internal import SystemSupport

/// Finds and creates thumbnails of local files in the directory shared by desktop programs.
///
/// This type is thread-safe. Thumbnails written by other programs are not trusted. A thumbnail must
/// be small, belong to this user, and name the file it was made from. It is decoded by the same
/// decoders as all other images, with the same isolation.
final class DesktopThumbnailStore: Sendable {
    /// The maximum size of a thumbnail's PNG file in bytes; enough for the largest thumbnail size.
    private static let byteLimit = 6 << 20
    /// The maximum number of files waiting for their thumbnails to be created.
    private static let pendingLimit = 10_000
    /// The formats in which the number of frames is known only at the end of the file.
    private static let animatedFormats: Set<ImageFormat> = [.gif, .webP]
    private static let prefixByteCount = 72 << 10

    private struct State {
        var pendingCount = 0
        var isStopped = false
    }

    /// A thumbnail that was found on the disk.
    struct Found: Sendable {
        let png: [UInt8]
        /// The first 72 KiB (`prefixByteCount`) of the file that the thumbnail was made from, or
        /// the whole file if it is shorter.
        let file: [UInt8]
    }

    /// The path of the `thumbnails` directory, in the encoding of `FileText`.
    let folder: String
    let isWritten: Bool
    private let decoding: DecodeStage
    private let maximumByteCount: Int
    private let maker = WorkerPool(
        name: "desktop",
        threadCount: 1,
        niceness: 19,
        order: .oldestFirst
    )
    private let state = Protected(State())

    /// Creates a store; files larger than `maximumByteCount` bytes are not read.
    init(folder: String, isWritten: Bool, decoding: DecodeStage, maximumByteCount: Int) {
        (self.folder, self.isWritten) = (folder, isWritten)
        (self.decoding, self.maximumByteCount) = (decoding, maximumByteCount)
    }

    /// Creates a store for a configuration.
    ///
    /// Returns nil if desktop thumbnails are disabled, or if there is no directory for them.
    convenience init?(_ configuration: ImageManagerConfiguration, _ decoding: DecodeStage) {
        let use = configuration.desktopThumbnails
        guard use != .none,
            let cache = configuration.desktopThumbnailHome ?? UserFolders().cache
        else { return nil }
        self.init(
            folder: UserFolders.join(cache, "thumbnails"),
            isWritten: use == .readAndWrite,
            decoding: decoding,
            maximumByteCount: configuration.downloader.maximumByteCount
        )
    }

    /// Returns whether a file may have a thumbnail.
    ///
    /// Files in the thumbnail directory never have one, because their thumbnails would themselves
    /// need thumbnails, and so on.
    func mayHaveThumbnail(_ path: String) -> Bool {
        !FileText.bytes(of: path).starts(with: FileText.bytes(of: folder + "/"))
    }

    // MARK: Finding

    /// Returns a file's smallest valid thumbnail that has enough pixels for `box`.
    ///
    /// Returns nil if there is no such thumbnail. Blocks the calling thread.
    func find(
        _ path: String,
        _ stamp: FileStamp,
        for box: PixelSize,
        _ mode: ImageContentMode
    )
        -> Found?
    {
        // Computing the name requires libcrypto. Check for the directory before loading the
        // library, because machines without thumbnails usually have no such directory.
        guard mayHaveThumbnail(path), access(FileText.path(folder), X_OK) == 0,
            let name = name(of: path)
        else { return nil }
        for size in DesktopThumbnailName.Size.allCases
        where size.rawValue >= min(box.width, box.height) {
            if let png = validFile(name, size, stamp), covers(box, mode, png, size) {
                return start(of: path, stamp).map { Found(png: png, file: $0) }
            }
        }
        return nil
    }

    private func name(of path: String) -> DesktopThumbnailName? {
        guard MessageDigest.missingLibrary() == nil else { return nil }
        return DesktopThumbnailName(path: FileText.bytes(of: path))
    }

    private func path(_ name: DesktopThumbnailName, _ size: DesktopThumbnailName.Size) -> String {
        "\(folder)/\(size.folder)/\(name.fileName)"
    }

    private func validFile(
        _ name: DesktopThumbnailName,
        _ size: DesktopThumbnailName.Size,
        _ stamp: FileStamp
    ) -> [UInt8]? {
        let file = try? FileReading.contents(
            of: path(name, size),
            maximumByteCount: Self.byteLimit,
            followsLinks: false
        )
        guard let file, file.facts.owner == geteuid(),
            let facts = DesktopThumbnailFacts(texts: PNGTexts.texts(in: file.bytes)),
            facts.isValid(for: name, stamp)
        else { return nil }
        return file.bytes
    }

    /// Returns whether a thumbnail has enough pixels for `box`.
    ///
    /// If a thumbnail is smaller than its nominal size, it has the full size of the image, so it
    /// always has enough pixels.
    private func covers(
        _ box: PixelSize,
        _ mode: ImageContentMode,
        _ png: [UInt8],
        _ size: DesktopThumbnailName.Size
    ) -> Bool {
        guard let found = try? DecoderRegistry.standard.probe(png).size, !found.isEmpty else {
            return false
        }
        if found.width < size.rawValue, found.height < size.rawValue { return true }
        switch mode {
        case .fit: return found.width >= box.width || found.height >= box.height
        case .fill: return found.width >= box.width && found.height >= box.height
        }
    }

    /// Returns the first 72 KiB (`prefixByteCount`) of a file, or nil if the file cannot be read.
    ///
    /// These bytes determine the format and the size of the image.
    private func start(of path: String, _ stamp: FileStamp) -> [UInt8]? {
        try? FileReading.withFile(at: path, followsLinks: true) {
            file,
            _ throws(FileReading.Problem) in
            try FileReading.read(file, count: Self.prefixByteCount)
        }
    }

    /// Decodes a thumbnail at the requested size, with the properties of the original image.
    ///
    /// Returns nil if the pixels or the properties cannot be decoded. This method blocks, so call
    /// it only on a decode thread.
    func image(_ found: Found, for key: ImageKey, _ flag: CancellationFlag) -> DecodedImage? {
        let isWhole = found.file.count < Self.prefixByteCount
        guard let properties = try? decoding.registry.probe(found.file),
            properties.frameCount == 1,
            isWhole || !Self.animatedFormats.contains(properties.format)
        else { return nil }
        let options = DecodingOptions(
            targetSize: key.targetSize,
            contentMode: key.contentMode,
            limits: decoding.limits,
            isCancelled: { flag.isCancelled }
        )
        guard let image = try? decoding.registry.decode(found.png, options: options),
            image.properties.format == .png, image.properties.frameCount == 1
        else { return nil }
        return DecodedImage(pixels: image.pixels, properties: properties, isThumbnail: true)
    }

    // MARK: Making

    /// Creates the thumbnail of a file in the background, at the smallest size that covers `box`.
    ///
    /// Does nothing if the thumbnail already exists or the queue is full. If the program ends
    /// first, the thumbnail is not created.
    func make(_ path: String, for box: PixelSize) {
        guard isWritten, mayHaveThumbnail(path),
            let size = DesktopThumbnailName.Size.least(covering: box)
        else { return }
        let isAdded = state.withLock { state in
            guard !state.isStopped, state.pendingCount < Self.pendingLimit else { return false }
            state.pendingCount += 1
            return true
        }
        guard isAdded else { return }
        maker.submit(priority: .low) { [self] in
            defer { state.withLock { $0.pendingCount -= 1 } }
            guard state.withLock({ !$0.isStopped }), let name = name(of: path),
                let stamp = FileStamp(ofFile: path),
                stamp.isSettled(at: decoding.clock.wallTime()),
                validFile(name, size, stamp) == nil,
                let png = thumbnail(of: path, stamp, name, size),
                // The file must not have changed while it was read.
                FileStamp(ofFile: path) == stamp
            else { return }
            write(png, to: self.path(name, size))
        }
    }

    private func thumbnail(
        of path: String,
        _ stamp: FileStamp,
        _ name: DesktopThumbnailName,
        _ size: DesktopThumbnailName.Size
    ) -> [UInt8]? {
        let file = try? FileReading.contents(
            of: path,
            maximumByteCount: maximumByteCount,
            followsLinks: true
        )
        let options = DecodingOptions(targetSize: size.box, limits: decoding.limits)
        guard let file, let image = try? decoding.registry.decode(file.bytes, options: options),
            image.damage == nil
        else { return nil }
        // The standard requires an alpha channel, even for opaque images.
        let pixels = PixelBuffer(size: image.pixels.size, bytes: image.pixels.bytes, hasAlpha: true)
        let facts = DesktopThumbnailFacts(
            uri: name.uri,
            modified: stamp.modifiedSeconds,
            byteCount: stamp.byteCount,
            fullSize: image.properties.size,
            mediaType: image.properties.format.mediaTypes.first
        )
        return (try? PNGEncoder.encode(pixels)).flatMap { PNGTexts.adding(facts.texts, to: $0) }
    }

    /// Writes a thumbnail atomically; only this user can access it, as the standard requires.
    private func write(_ png: [UInt8], to path: String) {
        guard let slash = path.lastIndex(of: "/") else { return }
        let folder = String(path[..<slash])
        UserFolders.make(folder)
        let temporary = "\(folder)/.termgallery-\(UInt64.random(in: 0...UInt64.max)).png"
        let directory = CacheDirectory(path: folder)
        guard let file = try? directory.calls.create(temporary) else { return }
        let isWritten = (try? directory.writeAll(png, to: file)) != nil
        close(file)
        guard isWritten, rename(FileText.path(temporary), FileText.path(path)) == 0 else {
            unlink(FileText.path(temporary))
            return
        }
    }

    /// Drops all waiting files, because the program is ending.
    func stop() {
        state.withLock { $0.isStopped = true }
    }

    /// Waits until all thumbnails requested before this call have been created or dropped.
    func settle() async {
        guard state.withLock({ $0.pendingCount > 0 }) else { return }
        await maker.runToEnd(priority: .low) {}
    }
}
