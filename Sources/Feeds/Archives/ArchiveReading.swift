package import ImageLoading

/// An archive that is read as a feed, part by part.
///
/// Each part continues after the last image of the previous part.
///
/// The methods block. Don't call them on the cooperative thread pool.
package struct ArchiveReading<Source: ArchiveSource> {
    /// The origin of the archive, which determines the resources that its URLs may refer to.
    package var origin = RequestOrigin.local
    /// Whether the whole archive has been read.
    package private(set) var isAtEnd = false
    private let base: ArchiveBase
    private let name: String
    /// The version of the archive, or nil if its directory must not be stored.
    private let version: ArchiveVersion?
    private var walk: ArchiveWalk<Source>
    /// The total size of all lines found, in bytes.
    private var byteCount = 0
    /// The lines of the images, for storing the directory.
    ///
    /// They are incomplete if they would exceed `ArchiveIndex.largestByteCount`, and empty if the
    /// directory must not be stored.
    private var kept: [UInt8] = []

    package init(
        _ listing: ArchiveListing,
        source: Source,
        base: ArchiveBase,
        name: String,
        version: ArchiveVersion?
    ) {
        (self.base, self.name, self.version) = (base, name, version)
        walk = ArchiveWalk(listing, source) { place in
            try? place.file(in: base)?.bytes(maximumByteCount: place.byteCount)
        }
    }

    package var source: Source { walk.source }

    /// The number of images found.
    package var pictureCount: Int { walk.pictureCount }

    /// Reads until at least `limit` images are found or the archive ends, and returns the new
    /// images.
    package mutating func part(
        upTo limit: Int,
        _ onGrowth: FeedReader.Growth
    ) throws(FeedError) -> Feed {
        var growing = GrowingFeed(title: name, archive: base, origin: origin)
        let countBefore = pictureCount
        while !isAtEnd, pictureCount < limit {
            guard byteCount <= FileBytes.maximumByteCount, let lines = try walk.next() else {
                isAtEnd = true
                break
            }
            byteCount += lines.count
            if version != nil, byteCount <= ArchiveIndex.largestByteCount { kept += lines }
            growing.append(lines)
            try onGrowth(&growing)
        }
        guard pictureCount == countBefore else { return try growing.end() }
        guard countBefore == 0 else { return Feed(items: [], title: name, origin: origin) }
        let fault = "the archive contains no supported image"
        throw FeedError(
            "\(name): \([fault, walk.remark].compactMap(\.self).joined(separator: ": "))"
        )
    }

    /// A note for the user about the archive, or nil if the whole archive is shown.
    package var remark: String? {
        var parts = [walk.remark].compactMap(\.self)
        if byteCount > FileBytes.maximumByteCount {
            parts.append("everything after the first \(pictureCount) images was left out")
        }
        return parts.isEmpty ? nil : "\(name): \(parts.joined(separator: "; "))"
    }

    /// The URLs of the images found that a later image with the same name replaces.
    package var replacedURLs: Set<String> {
        Set(
            walk.replacedImages.map { image in
                base.item(ArchiveLines.reference(image), caption: nil).url
            }
        )
    }

    /// The directory to store, and the version of the archive.
    ///
    /// Nil if the directory is incomplete, contains replaced images, or is not worth storing.
    package var index: (ArchiveIndex, ArchiveVersion)? {
        guard isAtEnd, let version, byteCount == kept.count, walk.replacedImages.isEmpty,
            ArchiveIndex.isWorthKeeping(pictureCount, version)
        else { return nil }
        return (ArchiveIndex(remark: walk.remark, lines: kept), version)
    }
}

extension ArchiveReading: Sendable where Source: Sendable {}
