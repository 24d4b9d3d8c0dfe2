internal import Decoders

/// Thumbnails as they were shown, beside the bodies they were made of, and alone those of local files.
///
/// One of a body answers only for as long as that body, or that part of one, is on disk: what its
/// server said of it decides whether either may be used. They are checked like bodies, count in the
/// same budget and leave by the same order; a use of one is a use of its body.
extension DiskCache {
    /// A thumbnail, and what is known of the body it was made of.
    struct FoundThumbnail: Sendable {
        let image: DecodedImage
        /// Whether only part of the body is there.
        let isOfPartial: Bool
        /// The metadata under which the body, or the part, was stored.
        let bodyMetadata: [UInt8]
        /// Of the body, or the part.
        let byteCount: Int
    }

    /// The thumbnail of a URL's body at a size; nil if there is none that may stand for what is there.
    ///
    /// Reads no body. Counts as a hit; if there is none as nothing, since the body is looked up next.
    /// For the readers' threads.
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
            // Of another version, or of a body that was replaced or evicted: it will never answer.
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

    /// The thumbnail of a local file; nil if there is none of what the file is by now.
    ///
    /// For threads that may wait for a disk. Counts as nothing, and does not begin the cache's use: a
    /// program that shows local files alone has its pictures elsewhere, and need not look through the
    /// directory.
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

    /// Stores a thumbnail under the rules of `store`, if what it was made of is there: one of a body
    /// that must not be kept is not kept either.
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

    /// Stores the thumbnail of a local file.
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

    /// Whether there is a thumbnail of a URL's body; counts as nothing, and checks no bytes.
    func containsThumbnail(for image: ImageKey, of url: ImageURL) async -> Bool {
        let (key, kind) = key(of: url).thumbnail(image)
        return await readers.runToEnd(priority: .normal) {
            let staged = self.state.withLock { $0.staged(key.name(kind), owner: key.owner) }
            return staged != nil
                || self.directory.description(of: key.name(kind), owner: key.owner) != nil
        }
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

    /// Deletes the longest unused thumbnails of a picture soon, if there are more than enough: whoever
    /// changes the width of a window again and again wants the last few sizes at most.
    func trimThumbnails(of file: CacheFileName) {
        writer.submit(priority: .normal) {
            for name in self.state.withLock({ $0.inventory.surplusThumbnails(of: file) }) {
                _ = self.delete(.entry(name))
            }
        }
    }

    /// What is stored that a thumbnail of this source may stand for; nil if that is gone.
    private func description(
        of source: ThumbnailSource,
        _ key: DiskKey
    ) -> (content: ContentChecksum, metadata: [UInt8], facts: FileFacts?, name: EntryName)? {
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

    /// Looks again before it deletes, here where nothing is written meanwhile: another may have come.
    private func deleteUnlessNew(_ key: DiskKey, _ kind: EntryName.Kind, _ old: DiskEntry) {
        guard (try? find(key, kind))?.entry == old else { return }
        _ = delete(.entry(key.name(kind)))
    }
}

extension DiskKey {
    /// Where the thumbnail of this URL lies, at a size.
    func thumbnail(_ image: ImageKey) -> (key: DiskKey, kind: EntryName.Kind) {
        let owner = MessageDigest.sha256("\(url.fileKey)\nthumbnail \(image.shape)")
        let key = DiskKey(url: url, file: file, owner: owner)
        return (key, .thumbnail(UInt32(truncatingIfNeeded: owner.high)))
    }
}
