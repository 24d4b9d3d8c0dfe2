import GalleryCore
import ImageLoading

/// Reads an archive's directory piece by piece.
///
/// Blocks; never on Swift's pool.
struct ArchiveWalk<Source: ArchiveSource> {
    private var listing: ArchiveListing
    private var window: ArchiveWindow<Source>
    /// Reads a member that isn't plain bytes; nil where that is too dear.
    private let readNote: @Sendable (ArchivePlace) -> [UInt8]?
    private var hasEnded = false

    init(
        _ listing: ArchiveListing,
        _ source: Source,
        readNote: @escaping @Sendable (ArchivePlace) -> [UInt8]?
    ) {
        self.listing = listing
        self.readNote = readNote
        window = ArchiveWindow(source)
    }

    /// The lines of the pictures that were found in the next piece; nil at the end.
    mutating func next() throws(FeedError) -> [UInt8]? {
        guard !hasEnded else { return nil }
        for _ in 0..<source.stepCount {
            switch listing.need {
            case .nothing:
                hasEnded = true
                return listing.takeLines()
            case .bytes(let position, let count):
                let (bytes, isEnd) = try window.piece(from: position, count: count)
                bytes.withUnsafeBufferPointer { listing.take($0, isEnd: isEnd) }
            case .note(let place): listing.note(try content(of: place))
            }
        }
        return listing.takeLines()
    }

    private mutating func content(of place: ArchivePlace) throws(FeedError) -> [UInt8]? {
        guard let offset = place.plainOffset else { return readNote(place) }
        let bytes = try window.piece(from: offset, count: place.byteCount).bytes
        return bytes.count >= place.byteCount ? Array(bytes.prefix(place.byteCount)) : nil
    }

    var source: Source { window.source }

    var pictureCount: Int { listing.tally.pictureCount }

    /// What a person should know of it; nil if all is shown.
    var remark: String? {
        let parts = [
            listing.tally.leftOut.map { "left out \($0)" },
            (source.fault ?? listing.fault).map { "the archive \($0)" },
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}

extension ArchiveWalk: Sendable where Source: Sendable {}
