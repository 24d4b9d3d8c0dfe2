internal import Decoders
internal import SystemSupport

/// Methods that store and find thumbnails.
///
/// A thumbnail contains the decoded pixels at the size at which the image was shown. The thumbnail
/// of a body is stored next to the body and is valid only while that body or partial body is on
/// disk. The caching rules that the server sent with the body apply to both. The thumbnail of a
/// local file is stored alone. Thumbnails are checked like bodies, count toward the same size limit
/// and are evicted in the same order. Using a thumbnail also counts as using its body.
extension DiskCache {
    /// A thumbnail and information about the body it was made from.
    struct FoundThumbnail: Sendable {
        let image: DecodedImage
        /// Whether the thumbnail was made from a partial body.
        let isOfPartial: Bool
        /// The metadata stored with the body or partial body.
        let bodyMetadata: [UInt8]
        /// The length of the body or partial body in bytes.
        let byteCount: Int
    }

    /// Returns the thumbnail of a URL's body at the size of `image`.
    ///
    /// Returns nil if no thumbnail matches the stored body. The body is not read. A found thumbnail
    /// counts as a cache hit. A missing one is not counted, because the body is looked up next.
    /// Call this method only on a reader thread.
    func readThumbnail(
        _ image: ImageKey,
        of url: ImageURL,
        formats: [String: ImageFormat]
    ) -> FoundThumbnail? {
        let body = key(of: url)
        let (key, kind) = body.thumbnail(image)
        let staged = state.withLock { $0.staged(key.name(kind), owner: key.owner) }
        guard let entry = staged ?? read(key, kind) else { return nil }
        guard let thumbnail = StoredThumbnail(decoding: entry.bytes, formats: formats),
            let found = description(of: thumbnail.source, body)
        else {
            // The thumbnail was written by a different version, or its body was replaced or
            // evicted. It can never be used again.
            writer.submit(priority: .low) { self.deleteUnlessNew(key, kind, entry) }
            return nil
        }
        if let facts = found.facts { noteUse(of: found.name, facts: facts) }
        state.withLock { $0.noteHit() }
        return FoundThumbnail(
            image: thumbnail.image,
            isOfPartial: found.name.kind == .partial,
            bodyMetadata: found.metadata,
            byteCount: Int(found.content.byteCount)
        )
    }

    /// Returns the thumbnail of a local file, or nil if no thumbnail matches the current file.
    ///
    /// Call this method only on a thread that may wait for a disk. The call does not count as a
    /// lookup. It does not start the scan of the cache directory, because a program that shows only
    /// local files has no images there.
    func readThumbnail(
        _ image: ImageKey,
        of picture: LocalPicture,
        _ url: ImageURL,
        _ stamp: FileStamp,
        formats: [String: ImageFormat]
    ) -> DecodedImage? {
        let (key, kind) = picture.key(stamp, image, url)
        let name = key.name(kind)
        let staged = state.withLock { $0.staged(name, owner: key.owner) }
        guard let entry = staged ?? read(key, kind),
            let thumbnail = StoredThumbnail(decoding: entry.bytes, formats: formats),
            thumbnail.source == .file(stamp)
        else { return nil }
        return thumbnail.image
    }

    /// Stores the thumbnail of a body if that body is stored.
    ///
    /// If a body must not be stored, its thumbnail must not be stored either. If the cache was
    /// cleared after `begun`, nothing is stored.
    func storeThumbnail(
        _ bytes: [UInt8],
        for image: ImageKey,
        of url: ImageURL,
        begun: CacheGeneration?
    ) {
        let body = key(of: url)
        guard let source = StoredThumbnail.source(of: bytes), description(of: source, body) != nil
        else { return }
        let (key, kind) = body.thumbnail(image)
        stageThumbnail(bytes, as: kind, key, begun: begun)
    }

    func storeThumbnail(
        _ bytes: [UInt8],
        for image: ImageKey,
        of picture: LocalPicture,
        _ url: ImageURL,
        _ stamp: FileStamp,
        begun: CacheGeneration?
    ) {
        scanOnce()
        let (key, kind) = picture.key(stamp, image, url)
        stageThumbnail(bytes, as: kind, key, begun: begun)
    }

    private func stageThumbnail(
        _ bytes: [UInt8],
        as kind: EntryName.Kind,
        _ key: DiskKey,
        begun: CacheGeneration?
    ) {
        stage(DiskEntry(bytes: bytes), as: kind, key, begun: begun)
        trimThumbnails(of: key.file)
    }

    /// Deletes the least recently used thumbnails of an image in the background if the image has
    /// more thumbnails than `DiskInventory` allows.
    ///
    /// A user who resizes a window repeatedly needs only the last few sizes.
    func trimThumbnails(of file: CacheFileName) {
        writer.submit(priority: .normal) {
            for name in self.state.withLock({ $0.inventory.surplusThumbnails(of: file) }) {
                _ = self.delete(.entry(name))
            }
        }
    }

    /// Returns the checksum, metadata, file properties and name of the body that a thumbnail was
    /// made from.
    ///
    /// Returns nil if that body is no longer stored, or if the thumbnail was made from a local
    /// file.
    private func description(
        of source: ThumbnailSource,
        _ key: DiskKey
    ) -> (content: ContentChecksum, metadata: [UInt8], facts: FileStatus?, name: EntryName)? {
        let (name, content): (EntryName, ContentChecksum)
        switch source {
        case .body(let checksum): (name, content) = (key.body, checksum)
        case .partial(let checksum): (name, content) = (key.partial, checksum)
        case .file: return nil
        }
        guard let found = description(of: name, owner: key.owner), found.content == content else {
            return nil
        }
        return (content, found.metadata, found.facts, name)
    }

    /// Deletes a thumbnail that can no longer be used, unless it has been replaced in the meantime.
    ///
    /// The thumbnail is read again on the writer thread, so no other write can happen between the
    /// check and the deletion.
    private func deleteUnlessNew(_ key: DiskKey, _ kind: EntryName.Kind, _ old: DiskEntry) {
        guard (try? find(key, kind))?.entry == old else { return }
        _ = delete(.entry(key.name(kind)))
    }
}

extension DiskKey {
    /// Returns the key for the thumbnail of this URL's body at the size of `image`.
    func thumbnail(_ image: ImageKey) -> (key: DiskKey, kind: EntryName.Kind) {
        let owner = MessageDigest.sha256("\(url.fileKey)\nthumbnail \(image.shape)")
        let key = DiskKey(url: url, file: file, owner: owner)
        return (key, .thumbnail(UInt32(truncatingIfNeeded: owner.high)))
    }
}
