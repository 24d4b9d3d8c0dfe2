import GalleryCore
import ImageLoading

/// An archive that is read as a feed, up to some picture, and can be read on from there.
///
/// Blocks; never on Swift's pool.
struct ArchiveReading<Source: ArchiveSource> {
    /// Who wrote the names in it.
    var origin = RequestOrigin.local
    /// Whether nothing is left to be read.
    private(set) var isAtEnd = false
    private let base: ArchiveBase
    private let name: String
    /// Which archive it is; nil if its directory is not to be kept.
    private let version: ArchiveVersion?
    private var walk: ArchiveWalk<Source>
    /// Bytes of all lines so far.
    private var byteCount = 0
    /// The lines themselves, as long as they may be kept.
    private var kept: [UInt8] = []

    init(
        _ listing: ArchiveListing,
        _ source: Source,
        _ base: ArchiveBase,
        _ name: String,
        version: ArchiveVersion?
    ) {
        (self.base, self.name, self.version) = (base, name, version)
        walk = ArchiveWalk(listing, source) { place in
            try? place.file(in: base)?.contents(maximumByteCount: place.byteCount)
        }
    }

    /// Where its bytes are.
    var source: Source { walk.source }

    /// Pictures found so far.
    var pictureCount: Int { walk.pictureCount }

    /// Reads on until there are so many pictures, and a few more, or to the end; returns what was found.
    mutating func part(
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

    /// What a person should know of it; nil if all is shown.
    var remark: String? {
        var parts = [walk.remark].compactMap(\.self)
        if byteCount > FileBytes.maximumByteCount {
            parts.append("everything after the first \(pictureCount) images was left out")
        }
        return parts.isEmpty ? nil : "\(name): \(parts.joined(separator: "; "))"
    }

    /// The directory to be kept; nil if it isn't whole, or not worth it.
    var index: (ArchiveIndex, ArchiveVersion)? {
        guard isAtEnd, let version, byteCount == kept.count,
            ArchiveIndex.isWorthKeeping(pictureCount, version)
        else { return nil }
        return (ArchiveIndex(remark: walk.remark, lines: kept), version)
    }
}

extension ArchiveReading: Sendable where Source: Sendable {}
