internal import FeedDocuments
internal import ImageLoading

/// Makes a feed of an archive's members: a line of JSON for each picture, in the archive's order.
///
/// Files beside a picture that have its name but for what follows the first dot tell of it, as in
/// WebDataset: the text of `.txt`, or what `.json` calls so, is its caption, or the class in `.cls`; the
/// members of an object in `.json` are its details. They have to stand next to each other.
struct ArchiveLines: Sendable {
    /// A file beside pictures that tells of them.
    enum Note: String, CaseIterable {
        case text = "txt"
        case object = "json"
        case classNumber = "cls"
    }

    /// What is asked for of a member.
    enum Need: Hashable, Sendable {
        case nothing
        /// The whole content, for `note`.
        case content
    }

    /// Larger notes are left out.
    static let maximumNoteByteCount = 64 << 10
    static let referenceKey = "@"
    static let captionKey = "@caption"

    /// What was found, for whoever looks at the archive.
    private(set) var tally = ArchiveTally()
    private var lines: [UInt8] = []
    /// What the files that are being gathered have in common.
    private var key: ArraySlice<UInt8> = []
    private var pictures: [ArchiveMember] = []
    private var notes: [Note: [UInt8]] = [:]
    private var awaited: Note?

    /// Makes lines of no members.
    init() {}

    /// Takes the next member.
    mutating func take(_ member: ArchiveMember) -> Need {
        awaited = nil
        tally.memberCount += 1
        // "./" is the folder itself, which many archives begin with.
        if member.kind == .folder { return .nothing }
        guard let name = ArchiveName(member.name) else {
            tally.strayCount += 1
            return .nothing
        }
        switch member.kind {
        case .folder: return .nothing
        case .link, .other:
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
            tally.otherCount += 1
            return .nothing
        }
        guard member.byteCount <= Self.maximumNoteByteCount else {
            tally.longNoteCount += 1
            return .nothing
        }
        awaited = note
        return .content
    }

    /// Takes the content of the member that asked for it.
    mutating func note(_ content: [UInt8]) {
        if let awaited { notes[awaited] = content }
        awaited = nil
    }

    /// The lines of pictures about which nothing more will come.
    mutating func takeLines() -> [UInt8] {
        defer { lines = [] }
        return lines
    }

    /// Counts members that others replace.
    mutating func leaveOut(replaced count: Int) {
        tally.replacedCount += count
    }

    /// Takes the end of the archive.
    mutating func end() {
        flush()
    }

    // MARK: - Lines

    private mutating func flush() {
        defer { (pictures, notes) = ([], [:]) }
        guard !pictures.isEmpty else {
            tally.otherCount += notes.count
            return
        }
        let details = ArchiveNotes(notes)
        for picture in pictures {
            tally.pictureCount += 1
            lines += "{\"\(Self.referenceKey)\":\"".utf8
            lines += Self.reference(picture).utf8
            lines.append(UInt8(ascii: "\""))
            lines += details.members
            lines += "}\n".utf8
        }
    }

    /// A picture that can't be read has the reason in place of its place.
    static func reference(_ member: ArchiveMember) -> String {
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

    /// Why a picture can't be read, by what stands behind its name; nil if it can be tried.
    static func problem(of place: Substring) -> String? {
        place.hasPrefix("?x") ? PercentCoding.decoded(place.dropFirst(2)) : nil
    }
}

/// What of an archive is shown, and what is not.
public struct ArchiveTally: Hashable, Sendable {
    var memberCount = 0
    /// Pictures with lines of their own.
    public internal(set) var pictureCount = 0
    var otherCount = 0
    var linkCount = 0
    var strayCount = 0
    var longNoteCount = 0
    /// Entries of a directory under a name that a later entry has as well.
    var replacedCount = 0

    /// Makes an empty one.
    public init() {}

    /// What is left out, in words; nil if nothing is.
    public var leftOut: String? {
        let counts = [
            (otherCount, "that is not an image", "that are not images"),
            (linkCount, "link or device", "links and devices"),
            (
                strayCount, "whose name leads outside the archive",
                "whose names lead outside the archive"
            ),
            (replacedCount, "replaced by a later file", "replaced by later files"),
            (longNoteCount, "caption file that is too long", "caption files that are too long"),
        ]
        let parts = counts.filter { $0.0 > 0 }.map { count, one, many in
            "\(CountText.grouped(count)) \(count == 1 ? one : many)"
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
