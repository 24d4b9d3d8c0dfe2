import Decoders
import ImageLoading

/// Converts the members of an archive to a feed with one line of JSON for each image.
///
/// The lines are in the order of the images in the archive. As in WebDataset, a file describes an
/// image if their names are the same up to the first dot. The caption is the content of the `.txt`
/// file, or otherwise a caption from the `.json` file or the class from the `.cls` file. The class
/// and the members of the JSON object become details. An image and the files that describe it must
/// be adjacent. If several images share a caption, the middle part of each name is added to it.
package struct ArchiveLines: Sendable {
    /// The type of a file that describes an image.
    package enum Note: String, CaseIterable {
        case text = "txt"
        case object = "json"
        case classNumber = "cls"
    }

    /// The part of a member that the converter needs.
    package enum Need: Hashable, Sendable {
        case nothing
        /// The complete content, to be passed to `note(_:)`.
        case content
    }

    /// The maximum size in bytes of a file that describes an image; larger files are omitted.
    package static let maximumNoteByteCount = 64 << 10
    package static let referenceKey = "@"
    package static let captionKey = "@caption"

    /// The numbers of shown and omitted members, which are reported to the user.
    package private(set) var tally = ArchiveTally()
    private var lines: [UInt8] = []
    /// The common path of the files in the current group, up to the first dot of the file name.
    ///
    /// A group consists of images with the same name and the files that describe them.
    private var key: ArraySlice<UInt8> = []
    private var pictures: [ArchiveMember] = []
    private var notes: [Note: [UInt8]] = [:]
    private var awaited: Note?
    private var separate = SeparateNotes()

    package init() {}

    /// Adds the next member and returns the part of it that the converter needs.
    package mutating func take(_ member: ArchiveMember) -> Need {
        awaited = nil
        tally.memberCount += 1
        // "./" is the folder itself, the first entry of many archives.
        if member.kind == .folder { return .nothing }
        guard let name = ArchiveName(member.name) else {
            tally.strayCount += 1
            return .nothing
        }
        var member = member
        switch member.kind {
        case .folder: return .nothing
        case .hardLink where name.isPicture: member = member.unreadable(because: Self.brokenLink)
        case .link, .hardLink, .other:
            tally.linkCount += 1
            return .nothing
        case .file, .unreadable: break
        }
        guard !name.isHidden else { return .nothing }
        if name.key != key {
            flush()
            key = name.key
        }
        if name.isPicture {
            pictures.append(member)
            return .nothing
        }
        guard let note = Note(rawValue: name.suffix), case .file = member.kind else {
            tally.addOther(suffix: name.suffix)
            return .nothing
        }
        guard member.byteCount <= Self.maximumNoteByteCount else {
            tally.longNoteCount += 1
            return .nothing
        }
        awaited = note
        return .content
    }

    private static let brokenLink = "a hard link to a file that was not found in the archive"

    /// Stores the content of the member for which `take` returned `.content`.
    package mutating func note(_ content: [UInt8]) {
        if let awaited { notes[awaited] = content }
        awaited = nil
    }

    /// Returns and removes the lines of the images that have been found.
    ///
    /// Images of the current group are not included, because the group may be incomplete.
    package mutating func takeLines() -> [UInt8] {
        defer { lines = [] }
        return lines
    }

    /// Adds `count` to the number of members that were omitted because a later member has the same
    /// name.
    package mutating func leaveOut(replaced count: Int) {
        tally.replacedCount += count
    }

    /// Completes the last group of files at the end of the archive.
    package mutating func end() {
        flush()
    }

    // MARK: - Lines

    private mutating func flush() {
        defer { (pictures, notes) = ([], [:]) }
        guard !pictures.isEmpty else {
            guard !notes.isEmpty else { return }
            tally.otherCount += notes.count
            if separate.takeNotes(of: key, count: notes.count) {
                tally.moveToSeparateNotes(notes.count)
            }
            return
        }
        tally.moveToSeparateNotes(separate.takeImages(of: key))
        let details = ArchiveNotes(notes)
        for picture in pictures {
            tally.pictureCount += 1
            lines += "{\"\(Self.referenceKey)\":\"".utf8
            lines += Self.reference(picture).utf8
            lines.append(UInt8(ascii: "\""))
            let part = pictures.count > 1 ? ArchiveName(picture.name)?.middle : nil
            lines += details.members(naming: part)
            lines += "}\n".utf8
        }
    }

    /// Returns the reference to a member: its path, location and length.
    ///
    /// If the member is an unreadable image, the reference contains the reason instead of the
    /// location and length.
    package static func reference(_ member: ArchiveMember) -> String {
        let name = ArchiveName(member.name)?.path ?? []
        let place: ArchivedFile.Place =
            switch member.place {
            case .plain(let offset): .plain(offset: offset)
            case .zip(let header, let packed, let crc32):
                .zip(header: header, deflatedByteCount: packed, crc32: crc32)
            }
        let reference = ArchivedFile.reference(
            name: name,
            byteCount: member.byteCount,
            place: place
        )
        guard case .unreadable(let reason) = member.kind else { return reference }
        return reference.prefix { $0 != "?" } + "?x" + PercentCoding.tidied(reason)
    }

    /// Returns the reason an image cannot be read, or nil if it can be read.
    ///
    /// `place` is the part of the image's reference that starts with the question mark.
    package static func problem(of place: Substring) -> String? {
        place.hasPrefix("?x") ? PercentCoding.decoded(place.dropFirst(2)) : nil
    }
}

/// The numbers of shown and omitted members of an archive.
package struct ArchiveTally: Hashable, Sendable {
    package var memberCount = 0
    /// The number of images; the feed has one line for each image.
    package var pictureCount = 0
    /// The numbers of images, videos and documents without a decoder, keyed by format, such as
    /// "PCX".
    ///
    /// The suffix of the name determines the format, because the content is not read.
    private var foreignCounts: [String: Int] = [:]
    package var otherCount = 0
    package var linkCount = 0
    package var strayCount = 0
    package var longNoteCount = 0
    /// The number of files that describe an image but are not next to it.
    private var separateNoteCount = 0
    /// The number of members that were omitted because a later member has the same name.
    package var replacedCount = 0

    package init() {}

    /// Counts a member without the suffix of a supported image format.
    mutating func addOther(suffix: String) {
        if let format = DecoderRegistry.foreignFormat(ofSuffix: suffix) {
            foreignCounts[format, default: 0] += 1
        } else {
            otherCount += 1
        }
    }

    /// Reclassifies `count` of the other files as files that describe an image but are not next to
    /// it.
    mutating func moveToSeparateNotes(_ count: Int) {
        otherCount -= count
        separateNoteCount += count
    }

    /// A description of the omitted members, or nil if no members were omitted.
    package var leftOut: String? {
        let counts = [
            (otherCount, "that is not an image", "that are not images"),
            (linkCount, "link or device", "links and devices"),
            (
                strayCount, "whose name leads outside the archive",
                "whose names lead outside the archive"
            ),
            (replacedCount, "replaced by a later file", "replaced by later files"),
            (
                separateNoteCount, "caption file that is not next to its image",
                "caption files that are not next to their images"
            ),
            (longNoteCount, "caption file that is too long", "caption files that are too long"),
        ]
        let others = counts.filter { $0.0 > 0 }.map { count, one, many in
            "\(CountText.grouped(count)) \(count == 1 ? one : many)"
        }
        let parts = CountText.parts(foreignCounts) + others
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
