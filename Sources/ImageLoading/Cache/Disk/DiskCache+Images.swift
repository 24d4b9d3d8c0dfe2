internal import Decoders

/// Processed images beside the bodies they were made from, so that a program that starts again need
/// not decode and process them anew.
///
/// An image answers only for as long as the very body it was made from is on disk: what its server
/// said of the body decides for both whether they may be used, and a body that is replaced takes its
/// images out of use. They are checked like bodies, count in the same budget and leave by the same
/// order; a use of an image is one of its body.
extension DiskCache {
    /// A processed image, and what is known of the body it was made from.
    struct StoredImage: Sendable {
        let image: EncodedImage
        /// The metadata under which the body was stored.
        let bodyMetadata: [UInt8]
        let bodyByteCount: Int
    }

    /// The image that was made of a URL's body in this way; nil if there is none, if the body is
    /// another by now or gone, or if the task was cancelled.
    ///
    /// Counts as a hit; if there is none as nothing, since the body is looked up next.
    func image(
        for image: ImageKey,
        of url: ImageURL,
        priority: LoadPriority = .high
    ) async -> StoredImage? {
        let body = key(of: url)
        // Cancelled: the caller is gone, and with it the reason to say why.
        let found = try? await readers.run(priority: priority) { _ in
            self.readImage(image, of: body)
        }
        return found.flatMap(\.self)
    }

    /// Whether `image` would find the image; counts as nothing, and checks no bytes.
    func containsImage(for image: ImageKey, of url: ImageURL) async -> Bool {
        let body = key(of: url)
        return await readers.runToEnd(priority: .normal) {
            let (key, kind) = body.image(image)
            let staged = self.state.withLock { $0.staged(key.name(kind), owner: key.owner) }
            let metadata =
                staged?.metadata
                ?? self.directory.description(of: key.name(kind), owner: key.owner)?.record
                .metadata
            let content = metadata.flatMap(EncodedImage.bodyChecksum(in:))
            return content != nil && self.bodyDescription(body)?.content == content
        }
    }

    /// Stores an image that was made of a URL's body, under the same rules as `store`.
    ///
    /// `content` tells which body: the one that is stored or about to be, as it lies on the disk.
    func storeImage(
        _ encoded: EncodedImage,
        for image: ImageKey,
        of url: ImageURL,
        madeFrom content: ContentChecksum,
        begun: CacheGeneration? = nil
    ) {
        let (key, kind) = key(of: url).image(image)
        let entry = DiskEntry(bytes: encoded.bytes, metadata: encoded.metadata(madeFrom: content))
        stage(entry, as: kind, key, begun: begun)
    }

    /// Removes one image; it is gone from the disk when this returns, and the body stays.
    func removeImage(for image: ImageKey, of url: ImageURL) async {
        let (key, kind) = key(of: url).image(image)
        let name = key.name(kind)
        state.withLock { $0.unstage(name) }
        await writer.runToEnd(priority: .normal) { _ = self.delete(.entry(name)) }
    }

    private func readImage(_ image: ImageKey, of body: DiskKey) -> StoredImage? {
        let (key, kind) = body.image(image)
        let staged = state.withLock { $0.staged(key.name(kind), owner: key.owner) }
        guard let entry = staged ?? read(key, kind) else { return nil }
        guard let encoded = EncodedImage(entry),
            let content = EncodedImage.bodyChecksum(in: entry.metadata),
            let description = bodyDescription(body), description.content == content
        else {
            // Of a body that was replaced or evicted: it will never answer again.
            writer.submit(priority: .low) { _ = self.delete(.entry(key.name(kind))) }
            return nil
        }
        if let facts = description.facts { noteUse(of: body.body, facts: facts) }
        state.withLock { $0.noteHit() }
        return StoredImage(
            image: encoded,
            bodyMetadata: description.metadata,
            bodyByteCount: Int(content.byteCount)
        )
    }

    /// What was noted of a URL's body; nil if there is none of this cache's own.
    ///
    /// Counts as nothing, and checks no bytes.
    func bodyMetadata(for url: ImageURL) async -> [UInt8]? {
        let key = key(of: url)
        return await readers.runToEnd(priority: .normal) { self.bodyDescription(key)?.metadata }
    }

    /// Which body is stored for a URL, without reading it.
    ///
    /// There are no facts of one that waits to be written.
    private func bodyDescription(
        _ key: DiskKey
    ) -> (content: ContentChecksum, metadata: [UInt8], facts: FileFacts?)? {
        description(of: key.body, owner: key.owner)
    }

    /// Which bytes are stored under a name, without reading them.
    func description(
        of name: EntryName,
        owner: MessageDigest
    ) -> (content: ContentChecksum, metadata: [UInt8], facts: FileFacts?)? {
        if let staged = state.withLock({ $0.staged(name, owner: owner) }) {
            return (ContentChecksum(of: staged.bytes), staged.metadata, nil)
        }
        return directory.description(of: name, owner: owner).map { found in
            (found.record.content, found.record.metadata, found.facts)
        }
    }
}

/// A processed image in the form in which it lies on disk.
///
/// An opaque image of a JPEG is written as JPEG again, which differs by 38 to 50 dB: without loss it
/// takes two to four times the room, in a budget that it shares with bodies, and thirty times as
/// long to write. Everything else is written as PNG, which loses nothing.
///
/// Its metadata, with little-endian numbers, is
///
///      0   1  a version, 1
///      1  12  which body it was made from (`ContentChecksum`)
///     13   8  the full width of that body's image
///     21   8  its full height
///     29   1  its EXIF orientation
///     30   1  1 if it may be transparent, 2 if it is progressive
///     31   4  its frames
///     35   f  its format, as `ImageFormat.rawValue`
struct EncodedImage: Sendable {
    /// As good as the eye can tell, with colour at full resolution.
    static let jpegQuality = 92
    private static let version: UInt8 = 1
    private static let headByteCount = 35

    let bytes: [UInt8]
    private let properties: StoredProperties

    /// What the header of the body said; the format by its name, since only a registry knows those
    /// that are there.
    private struct StoredProperties: Sendable {
        var format: String
        var size: PixelSize
        var orientation: Int
        var hasAlpha: Bool
        var isProgressive: Bool
        var frameCount: Int

        func of(_ format: ImageFormat) -> ImageProperties {
            ImageProperties(
                format: format,
                size: size,
                orientation: orientation,
                hasAlpha: hasAlpha,
                isProgressive: isProgressive,
                frameCount: frameCount
            )
        }
    }

    /// Encodes an image; blocks for as long as that takes.
    ///
    /// Nil for one that would not come back as it is: an animation, an image that is not final, one of a
    /// damaged file, or the thumbnail of a file.
    init?(_ image: DecodedImage) {
        guard image.animation == nil, image.isFinal, image.damage == nil,
            !image.isThumbnail
        else { return nil }
        let pixels = image.pixels
        let isPhoto = image.properties.format == .jpeg && !pixels.hasAlpha
        // Too large for the format or empty: such an image is not worth keeping.
        let encoded =
            isPhoto
            ? try? JPEGEncoder.encode(pixels, quality: Self.jpegQuality)
            : try? PNGEncoder.encode(pixels)
        guard let encoded else { return nil }
        bytes = encoded
        properties = StoredProperties(
            format: image.properties.format.rawValue,
            size: image.properties.size,
            orientation: image.properties.orientation,
            hasAlpha: image.properties.hasAlpha,
            isProgressive: image.properties.isProgressive,
            frameCount: image.properties.frameCount
        )
    }

    /// Decodes the image; blocks for as long as that takes.
    ///
    /// Its properties are those of the file that it was made from, whose format `registry` must
    /// still know.
    func decoded(
        knowing registry: DecoderRegistry,
        limits: DecodingLimits = DecodingLimits(),
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(ImageDecodingError) -> DecodedImage {
        guard let format = registry.formats.first(where: { $0.rawValue == properties.format })
        else { throw .unsupportedFormat(properties.format) }
        // Those who wrote it read it, whatever else the program may have registered.
        let image = try DecoderRegistry.standard.decode(
            bytes,
            options: DecodingOptions(limits: limits, isCancelled: isCancelled)
        )
        return DecodedImage(pixels: image.pixels, properties: properties.of(format))
    }

    // MARK: On disk

    /// Reads an entry back; nil if this version did not write it.
    fileprivate init?(_ entry: DiskEntry) {
        let head = entry.metadata.prefix(Self.headByteCount)
        guard head.count == Self.headByteCount, head[0] == Self.version,
            let format = String(validating: entry.metadata[Self.headByteCount...], as: UTF8.self)
        else { return nil }
        bytes = entry.bytes
        properties = StoredProperties(
            format: format,
            size: PixelSize(
                width: Int(truncatingIfNeeded: head[13..<21].littleEndian),
                height: Int(truncatingIfNeeded: head[21..<29].littleEndian)
            ),
            orientation: Int(head[29]),
            hasAlpha: head[30] & 1 != 0,
            isProgressive: head[30] & 2 != 0,
            frameCount: Int(head[31..<35].littleEndian)
        )
    }

    fileprivate func metadata(madeFrom content: ContentChecksum) -> [UInt8] {
        var result = [Self.version] + content.encoded()
        result.append(littleEndian: UInt64(properties.size.width), byteCount: 8)
        result.append(littleEndian: UInt64(properties.size.height), byteCount: 8)
        result.append(UInt8(clamping: properties.orientation))
        result.append((properties.hasAlpha ? 1 : 0) | (properties.isProgressive ? 2 : 0))
        result.append(littleEndian: UInt64(properties.frameCount), byteCount: 4)
        return result + properties.format.utf8
    }

    /// Which body an image was made from, by its metadata.
    fileprivate static func bodyChecksum(in metadata: [UInt8]) -> ContentChecksum? {
        guard metadata.count >= headByteCount, metadata[0] == version else { return nil }
        return ContentChecksum(decoding: metadata[1..<13])
    }
}
