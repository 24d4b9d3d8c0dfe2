import Glibc
package import ImageLoading
internal import SystemSupport

/// Methods that read archives as feeds.
extension FeedReader {
    /// Reads the directory of an archive in an open file.
    ///
    /// `onGrowth` is called after each piece of the directory.
    package func archive(
        _ format: ArchiveFormat,
        file: LocalArchive,
        path: String,
        onGrowth: Growth
    ) throws(FeedError) -> Feed {
        var status = stat()
        guard fstat(file.descriptor, &status) == 0 else {
            throw FeedError(name: file.name, fault: String(cString: strerror(errno)))
        }
        let (pathBytes, stamp) = (FileText.bytes(of: path), ArchiveStamp(status))
        let base = ArchiveBase(path: pathBytes, stamp: stamp)
        let byteCount = Int(status.st_size)
        let isIndexed = byteCount >= Self.indexedByteCount && options.encoding == .automatic
        let version = isIndexed ? ArchiveVersion.file(path: pathBytes, stamp: stamp) : nil
        if let index = index(of: version) { return try feed(index, base: base, name: file.name) }
        switch format {
        case .unreadable(let fault): throw FeedError("\(file.name): \(fault)")
        case .gzip:
            let folder = FeedBase.directory(AbsolutePath.directory(of: path))
            return try packed(file, path: path, base: folder, origin: .local, onGrowth: onGrowth)
        case .tar, .zip:
            let listing = listing(format, byteCount)
            return try feed(
                listing,
                source: file,
                base: base,
                name: file.name,
                onGrowth: onGrowth,
                version: version
            )
        }
    }

    /// The minimum size, in bytes, of a local archive for its directory to be stored in the cache.
    ///
    /// Reading the directory of a smaller archive is as fast as reading a stored copy.
    private static let indexedByteCount = 16 << 20

    /// Returns the version under which the directory is stored, or nil if it must not be stored
    /// because the user specified the encoding of its names.
    private func version(of archive: RemoteArchive) -> ArchiveVersion? {
        options.encoding == .automatic ? archive.version : nil
    }

    private func index(of version: ArchiveVersion?) -> ArchiveIndex? {
        guard let version else { return nil }
        let manager = manager
        let bytes = waitFor { await manager.storedData(named: version.name) }
        return bytes.flatMap { ArchiveIndex($0) }
    }

    private func feed(
        _ index: ArchiveIndex,
        base: ArchiveBase,
        name: String,
        origin: RequestOrigin = .local
    ) throws(FeedError) -> Feed {
        var growing = GrowingFeed(title: name, archive: base, origin: origin)
        growing.append(index.lines)
        var feed = try growing.end()
        feed.remark = index.remark.map { "\(name): \($0)" }
        return feed
    }

    /// Reads a remote archive in parts.
    ///
    /// If the server doesn't support range requests, `whole` parses the complete body. If the
    /// archive changes before its first images are shown, it is reopened once.
    package func archive(
        of url: String,
        name: String,
        _ onGrowth: Growth,
        whole: ([UInt8], RequestOrigin) throws(FeedError) -> Feed
    ) throws(FeedError) -> Feed {
        var isShown = false
        do throws(FeedError) {
            return try openArchive(of: url, name: name, whole: whole) { growing throws(FeedError) in
                isShown = true
                try onGrowth(&growing)
            }
        } catch {
            guard error.isOfChangedArchive, !isShown else { throw error }
            return try openArchive(of: url, name: name, whole: whole, onGrowth)
        }
    }

    private func openArchive(
        of url: String,
        name: String,
        whole: ([UInt8], RequestOrigin) throws(FeedError) -> Feed,
        _ onGrowth: Growth
    ) throws(FeedError) -> Feed {
        switch RemoteArchive.open(url, name: name, manager.network) {
        case .failure(let error):
            if case .tooLarge(let limit) = error.reason {
                let fault =
                    "the server does not support range requests, and the whole archive is "
                    + "larger than"
                throw FeedError("\(name): \(fault) \(limit >> 20) MiB (--max-bytes)")
            }
            throw FeedError("\(name): \(error.description)")
        case .success(.whole(let bytes, let isPrivate)):
            return try whole(bytes, isPrivate ? .privateFeed : .remoteFeed)
        case .success(.archive(let archive)):
            guard let listing = archive.listing(charset: options.encoding.charset),
                let base = archive.base
            else { throw FeedError("\(name): is not an archive, despite its name") }
            if let index = index(of: version(of: archive)) {
                return try feed(index, base: base, name: name, origin: archive.origin)
            }
            return try feed(listing, archive: archive, base: base, name: name, onGrowth: onGrowth)
        }
    }

    /// Reads an archive that was received completely from `url`.
    package func archive(
        _ format: ArchiveFormat,
        body: [UInt8],
        of url: String,
        name: String,
        origin: RequestOrigin,
        onGrowth: Growth
    ) throws(FeedError) -> Feed {
        if case .unreadable(let fault) = format { throw FeedError("\(name): \(fault)") }
        guard let copy = UnpackedCopy(body) else {
            throw FeedError("\(name): not enough disk space to keep it")
        }
        let file = LocalArchive(descriptor: copy.descriptor, name: name)
        if format == .gzip {
            return try packed(file, path: name, base: .url(url), origin: origin, onGrowth: onGrowth)
        }
        guard let base = ArchiveBase(path: Array(name.utf8), copy: copy) else {
            throw FeedError("\(name): not enough disk space to keep it")
        }
        return try feed(
            listing(format, body.count),
            source: file,
            base: base,
            name: name,
            onGrowth: onGrowth
        )
    }

    /// Returns a new listing for an archive; every format except zip is read as tar.
    private func listing(_ format: ArchiveFormat, _ byteCount: Int) -> ArchiveListing {
        format == .zip
            ? ArchiveListing(zipOf: byteCount, charset: options.encoding.charset)
            : ArchiveListing(tarOf: byteCount, isWhole: true)
    }

    /// Reads a compressed tar archive or another compressed feed.
    private func packed(
        _ file: LocalArchive,
        path: String,
        base: FeedBase,
        origin: RequestOrigin,
        onGrowth: Growth
    ) throws(FeedError) -> Feed {
        guard let archive = UnpackedArchive(gzip: file.descriptor),
            let archiveBase = ArchiveBase(path: FileText.bytes(of: path), copy: archive.copy)
        else { throw FeedError("\(file.name): not enough disk space to decompress it") }
        let source = PackedArchive(archive: archive, name: file.name)
        let start = try source.read(at: 0, count: ArchiveFormat.prefixByteCount)
        guard ArchiveFormat.sniffed(from: start) == .tar else {
            return try feed(packed: source, base, origin)
        }
        return try feed(
            ArchiveListing(tarOf: nil),
            source: source,
            base: archiveBase,
            name: file.name,
            onGrowth: onGrowth
        )
    }

    /// Reads a compressed document or list.
    ///
    /// If the file is truncated or damaged, reads the part that can be decompressed.
    private func feed(
        packed source: PackedArchive,
        _ base: FeedBase,
        _ origin: RequestOrigin
    ) throws(FeedError) -> Feed {
        let bytes = try source.read(at: 0, count: FileBytes.maximumByteCount + 1)
        guard bytes.count <= FileBytes.maximumByteCount else {
            throw FeedError(name: source.name, fault: "is larger than 256 MiB when decompressed")
        }
        let cut = source.fault.map { "\(source.name): the file \($0)" }
        do throws(FeedError) {
            var feed = try feed(parsing: bytes, title: source.name, base: base, origin: origin)
            let remarks = [feed.remark, cut].compactMap(\.self)
            feed.remark = remarks.isEmpty ? nil : remarks.joined(separator: "; ")
            return feed
        } catch {
            throw cut.map { FeedError($0) } ?? error
        }
    }

    private func feed(
        _ listing: ArchiveListing,
        source: some ArchiveSource,
        base: ArchiveBase,
        name: String,
        onGrowth: Growth,
        version: ArchiveVersion? = nil
    ) throws(FeedError) -> Feed {
        var reading = ArchiveReading(
            listing,
            source: source,
            base: base,
            name: name,
            version: version
        )
        let feed = try reading.part(upTo: .max, onGrowth)
        return ended(reading, feed)
    }

    /// Reads a remote archive completely or, if `stopsAhead` is set, only its first `partCount`
    /// images.
    private func feed(
        _ listing: ArchiveListing,
        archive: RemoteArchive,
        base: ArchiveBase,
        name: String,
        onGrowth: Growth
    ) throws(FeedError) -> Feed {
        var reading = ArchiveReading(
            listing,
            source: archive,
            base: base,
            name: name,
            version: version(of: archive)
        )
        reading.origin = archive.origin
        let feed = try reading.part(upTo: stopsAhead ? Self.partCount : .max, onGrowth)
        return continued(reading, feed)
    }

    /// The number of images to read from a remote archive before the user scrolls down.
    ///
    /// If the images are small, reading them transfers about a dozen megabytes.
    private static let partCount = 500

    private func continued(_ reading: ArchiveReading<RemoteArchive>, _ feed: Feed) -> Feed {
        guard !reading.isAtEnd else { return ended(reading, feed) }
        let rest = FeedRest {
            var reading = reading
            do throws(FeedError) {
                let feed = try reading.part(upTo: reading.pictureCount + Self.partCount) { _ in }
                return .success(continued(reading, feed))
            } catch {
                return .failure(error)
            }
        }
        return feed.going(on: rest, at: reading.source.url)
    }

    /// Adds the remark and the replaced images of the archive to the feed, and stores the directory
    /// if it is worth storing.
    private func ended(_ reading: ArchiveReading<some ArchiveSource>, _ feed: Feed) -> Feed {
        if let (index, version) = reading.index {
            manager.storeData(index.bytes, named: version.name)
        }
        var feed = feed
        feed.remark = reading.remark
        feed.replacedURLs = reading.replacedURLs
        return feed
    }
}
