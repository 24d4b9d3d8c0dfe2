internal import Decoders
internal import SystemSupport

/// Processed images on the disk.
///
/// After a restart, a program does not have to decode and process these images again. A stored
/// image is valid only if the body it was made from is on the disk and unchanged, so the server's
/// caching rules for the body also apply to its images. Images are verified like bodies, count
/// toward the same budget, and are evicted in the same order. Using an image also counts as using
/// its body.
extension DiskCache {
    /// A processed image and information about the body it was made from.
    struct StoredImage: Sendable {
        let image: EncodedImage
        /// The metadata stored with the body.
        let bodyMetadata: [UInt8]
        let bodyByteCount: Int
    }

    /// Returns the processed image stored for a URL under the key `image`.
    ///
    /// Returns nil if the image does not exist, if its body was replaced or deleted, or if the task
    /// was cancelled. If the image is found, the call counts as a hit. A missing image does not
    /// count as a miss, because the body is looked up next.
    func image(
        for image: ImageKey,
        of url: ImageURL,
        priority: LoadPriority = .high
    ) async -> StoredImage? {
        let body = key(of: url)
        // If the task was cancelled, the result is unused, so the error does not matter.
        let found = try? await readers.run(priority: priority) { _ in
            self.readImage(image, of: body)
        }
        return found.flatMap(\.self)
    }

    /// Returns whether `image` would find the image.
    ///
    /// The call does not count as a lookup and does not verify the image.
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

    /// Stores a processed image of a URL, following the same rules as `store`.
    ///
    /// `content` identifies the body that the image was made from. The body is on the disk or still
    /// queued for writing.
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

    /// Removes one processed image; the body remains.
    ///
    /// Returns after the image has been deleted from the disk.
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
            // The body was replaced or evicted, so this image can never be used again.
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

    /// Returns the metadata of a URL's body, or nil if the cache's own directory has no such body.
    ///
    /// The call does not count as a lookup and does not verify the body.
    func bodyMetadata(for url: ImageURL) async -> [UInt8]? {
        let key = key(of: url)
        return await readers.runToEnd(priority: .normal) { self.bodyDescription(key)?.metadata }
    }

    /// Returns the checksum, metadata and file properties of a URL's body without reading the body.
    ///
    /// `facts` is nil if the body is still queued for writing.
    private func bodyDescription(
        _ key: DiskKey
    ) -> (content: ContentChecksum, metadata: [UInt8], facts: FileStatus?)? {
        description(of: key.body, owner: key.owner)
    }

    /// Returns the checksum, metadata and file properties of an entry without reading its bytes.
    func description(
        of name: EntryName,
        owner: MessageDigest
    ) -> (content: ContentChecksum, metadata: [UInt8], facts: FileStatus?)? {
        if let staged = state.withLock({ $0.staged(name, owner: owner) }) {
            return (ContentChecksum(of: staged.bytes), staged.metadata, nil)
        }
        return directory.description(of: name, owner: owner).map { found in
            (found.record.content, found.record.metadata, found.facts)
        }
    }
}

/// The encoded form of a processed image on the disk.
///
/// An opaque image made from a JPEG is encoded as JPEG again, with a peak signal-to-noise ratio of
/// 38 to 50 dB. Lossless encoding would take thirty times as long and need two to four times the
/// space. That matters because images and bodies share one budget. All other images are encoded as
/// PNG, which is lossless.
///
/// The metadata has these fields, with offset, size and content. Sizes are in bytes, and numbers
/// are little-endian:
///
///      0   1  the version, 1
///      1  12  the `ContentChecksum` of the body from which the image was made
///     13   8  the full width of the body's image in pixels
///     21   8  the full height of the body's image in pixels
///     29   1  the EXIF orientation
///     30   1  flags: 1 if the image may be transparent, 2 if it is progressive
///     31   4  the number of frames
///     35   f  the format, as `ImageFormat.rawValue`
struct EncodedImage: Sendable {
    /// The JPEG quality; it causes no visible loss and keeps color at full resolution.
    static let jpegQuality = 92
    private static let version: UInt8 = 1
    private static let headByteCount = 35

    let bytes: [UInt8]
    private let properties: StoredProperties

    /// The properties of the original image, read from the header of its file.
    ///
    /// The format is stored by name, because the available formats depend on the decoder registry.
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

    /// Creates the encoded form of an image; blocks until the encoding is complete.
    ///
    /// Returns nil if the image is an animation, is not final, comes from a damaged file, or is the
    /// thumbnail embedded in a file. Such an image could not be restored exactly.
    init?(_ image: DecodedImage) {
        guard image.animation == nil, image.isWholeFile else { return nil }
        let pixels = image.pixels
        let isPhoto = image.properties.format == .jpeg && !pixels.hasAlpha
        // If encoding fails, the image is empty or too large for the format, and not worth storing.
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

    /// Decodes the image; blocks until the decoding is complete.
    ///
    /// The result has the properties of the original file. Throws an error if `registry` does not
    /// contain the format of that file.
    func decoded(
        knowing registry: DecoderRegistry,
        limits: DecodingLimits = DecodingLimits(),
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(ImageDecodingError) -> DecodedImage {
        guard let format = registry.formats.first(where: { $0.rawValue == properties.format })
        else { throw .unsupportedFormat(properties.format) }
        // The standard decoders can read the output of the encoders, no matter which decoders the
        // program has registered.
        let image = try DecoderRegistry.standard.decode(
            bytes,
            options: DecodingOptions(limits: limits, isCancelled: isCancelled)
        )
        return DecodedImage(pixels: image.pixels, properties: properties.of(format))
    }

    // MARK: On disk

    /// Creates an encoded image from an entry.
    ///
    /// Returns nil if the metadata is invalid or has a different version number.
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

    /// Returns the checksum of the body that an image was made from, or nil if the image's metadata
    /// is invalid or has a different version number.
    fileprivate static func bodyChecksum(in metadata: [UInt8]) -> ContentChecksum? {
        guard metadata.count >= headByteCount, metadata[0] == version else { return nil }
        return ContentChecksum(decoding: metadata[1..<13])
    }
}

extension DecodedImage {
    /// Whether the image shows the complete file.
    ///
    /// False if the image is not final, if the file is damaged, or if the image is the thumbnail
    /// embedded in the file.
    var isWholeFile: Bool { isFinal && damage == nil && !isThumbnail }
}
