import ImageLoading

/// Reads an archive's directory piece by piece.
///
/// The methods block. Don't call them on the cooperative thread pool.
package struct ArchiveWalk<Source: ArchiveSource> {
    private var listing: ArchiveListing
    private var window: ArchiveWindow<Source>
    /// A function that reads a member that isn't stored as plain bytes; returns nil if reading
    /// fails or is too expensive.
    private let readNote: @Sendable (ArchivePlace) -> [UInt8]?
    private var hasEnded = false

    package init(
        _ listing: ArchiveListing,
        _ source: Source,
        readNote: @escaping @Sendable (ArchivePlace) -> [UInt8]?
    ) {
        self.listing = listing
        self.readNote = readNote
        window = ArchiveWindow(source)
    }

    /// Returns the lines of the images found in the next piece of the directory, or nil at the end.
    package mutating func next() throws(FeedError) -> [UInt8]? {
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

    package var source: Source { window.source }

    package var pictureCount: Int { listing.tally.pictureCount }

    /// The images found that a later image with the same name replaces.
    package var replacedImages: [ArchiveMember] { listing.replacedImages }

    /// A note for the user about the archive, or nil if the whole archive is shown.
    package var remark: String? {
        let parts = [
            listing.tally.leftOut.map { "left out \($0)" },
            (source.fault ?? listing.fault).map { "the archive \($0)" },
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}

extension ArchiveWalk: Sendable where Source: Sendable {}
