internal import Decoders
internal import Glibc

/// The thumbnails that the programs of a desktop share: finds those of local files, and makes those
/// that are missing.
///
/// Thread-safe. What others wrote is believed as little as any picture: it is small, of this user, says
/// which file it is of, and is decoded where all pictures are.
final class DesktopThumbnailStore: Sendable {
    /// The most that a PNG of the largest size takes.
    private static let byteLimit = 6 << 20
    /// The most files that wait for a thumbnail.
    private static let pendingLimit = 10_000
    /// Formats that say only at their end how many frames they have.
    private static let animatedFormats: Set<ImageFormat> = [.gif, .webP]
    private static let prefixByteCount = 72 << 10

    private struct State {
        var pendingCount = 0
        var isStopped = false
    }

    /// A thumbnail that was found, as it lies on the disk.
    struct Found: Sendable {
        let png: [UInt8]
        /// The start of the file that it is of, or all of it.
        let file: [UInt8]
    }

    /// The folder `thumbnails`, as `FileText` has it.
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

    /// `maximumByteCount` is the longest file that is read.
    init(folder: String, isWritten: Bool, decoding: DecodeStage, maximumByteCount: Int) {
        (self.folder, self.isWritten) = (folder, isWritten)
        (self.decoding, self.maximumByteCount) = (decoding, maximumByteCount)
    }

    /// Nil where nothing is done with them, or where they have no place.
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

    /// Whether a file may have a thumbnail: those of thumbnails would have some in turn, without end.
    func mayHaveThumbnail(_ path: String) -> Bool {
        !FileText.bytes(of: path).starts(with: FileText.bytes(of: folder + "/"))
    }

    // MARK: Finding

    /// The smallest valid thumbnail with the pixels for a box; nil if there is none.
    ///
    /// Blocks.
    func find(
        _ path: String,
        _ stamp: FileStamp,
        for box: PixelSize,
        _ mode: ImageContentMode
    )
        -> Found?
    {
        // Before libcrypto is loaded for a name: most machines that have none have no such folder.
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

    /// Whether it need not be made larger; one that does not fill its own size is the whole picture.
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

    /// The first bytes of the file, which tell its format and size.
    private func start(of path: String, _ stamp: FileStamp) -> [UInt8]? {
        try? FileReading.withFile(at: path, followsLinks: true) {
            file,
            _ throws(FileReading.Problem) in
            try FileReading.read(file, count: Self.prefixByteCount)
        }
    }

    /// The image of a thumbnail at the size asked for, with what the picture itself says; nil if either
    /// can't be told.
    ///
    /// Blocks; for the decode pool's threads.
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

    /// Makes the thumbnail of a file in the background, in the smallest size that covers a box; not if
    /// the program ends before, or if there is one.
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
                // What was read is what was looked at.
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
        // The standard wants transparency, whether there is any or not.
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

    /// Whole or not at all, and for this user alone, as the standard wants it.
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

    /// Drops what waits: the program ends.
    func stop() {
        state.withLock { $0.isStopped = true }
    }

    /// Returns when all that was asked for so far is made.
    func settle() async {
        guard state.withLock({ $0.pendingCount > 0 }) else { return }
        await maker.runToEnd(priority: .low) {}
    }
}
