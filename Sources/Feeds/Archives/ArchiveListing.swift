internal import ImageLoading

/// Incrementally reads an archive's directory and produces a line for each image.
///
/// The reader performs no I/O: it reports the bytes that it needs next, and its owner provides
/// them.
///
/// In a tar archive, the reader reads one header after another. In a small archive that is local or
/// was received completely, hard links to later files are resolved, files that describe an image
/// need not follow it, and only the last of several members with the same name is used. Any other
/// archive is shown as it is read, so all members with the same name have a line, and
/// `replacedImages` contains all but the last of them.
///
/// In a zip archive, the reader reads the last bytes and then the directory. It sorts the members
/// in natural order, unless there are more than `ArchiveOrder.largestCount` members.
package struct ArchiveListing: Sendable {
    /// The bytes that the reader needs next.
    package enum Need: Hashable, Sendable {
        /// At least `count` bytes starting at `position`; fewer only at the end of the archive.
        case bytes(position: Int, count: Int)
        /// The complete content of a small member, to be passed to `note(_:)`.
        ///
        /// Pass nil if the content cannot be read.
        case note(ArchivePlace)
        /// No bytes, because the listing is complete or cannot continue.
        case nothing
    }

    private enum Reader {
        case tar(TarReader)
        case zipEnd
        case zip(ZipDirectory, isSorted: Bool)
        case sorted([ArchiveMember], next: Int)
        case ended
    }

    private var reader: Reader
    private var gathered: [ArchiveMember] = []
    private var hardLinks = HardLinks()
    private var lines = ArchiveLines()
    private let byteCount: Int?
    private let charset: Charset?
    /// Whether all headers of a tar archive are read before the first image is shown.
    private let gathersTar: Bool
    /// The bytes that the reader needs next.
    package private(set) var need: Need
    /// The reason part of the archive is missing, as a phrase that completes "the archive …".
    package private(set) var fault: String?

    /// Returns whether the first 512 bytes of a file are a tar header.
    package static func isTar(_ start: [UInt8]) -> Bool { TarReader.isTar(start) }

    /// The number of bytes at the end of a file that `isZip` needs.
    package static let zipEndByteCount = ZipEnd.searchByteCount

    /// Returns whether `end`, the last `zipEndByteCount` bytes of a file, contains the end record
    /// of a zip archive.
    package static func isZip(end: [UInt8], ofFileOf byteCount: Int) -> Bool {
        ZipEnd(inLast: end, ofFileOf: byteCount) != nil
    }

    /// The maximum size of a tar archive, in bytes, for which all headers are read before the first
    /// image is shown.
    private static let gatheredByteCount = 64 << 20

    /// Creates a reader for a tar archive; `byteCount` is nil if the length of the archive is
    /// unknown.
    ///
    /// `isWhole` is true if all bytes of the archive are in memory or in a local file. If the
    /// archive is small, too, all headers are read before the first image is shown, which takes no
    /// noticeable time.
    package init(tarOf byteCount: Int? = nil, isWhole: Bool = false) {
        self.byteCount = byteCount
        charset = nil
        gathersTar = isWhole && byteCount ?? .max <= Self.gatheredByteCount
        reader = .tar(TarReader())
        need = .bytes(position: 0, count: 512)
    }

    /// Creates a reader for a zip archive.
    ///
    /// `charset` is the character set of names that are not in UTF-8, or nil for code page 437.
    package init(zipOf byteCount: Int, charset: Charset? = nil) {
        self.byteCount = byteCount
        self.charset = charset
        gathersTar = false
        reader = .zipEnd
        let count = min(byteCount, ZipEnd.searchByteCount)
        need = .bytes(position: byteCount - count, count: count)
    }

    /// The numbers of images and omitted members.
    package var tally: ArchiveTally {
        var tally = lines.tally
        tally.replacedCount += replacedImages.count
        return tally
    }

    /// The images that have a line although a later image with the same name replaces them.
    package var replacedImages: [ArchiveMember] { gathersTar ? [] : hardLinks.replacedImages }

    /// Returns and removes the lines of the images found since the last call.
    package mutating func takeLines() -> [UInt8] { lines.takeLines() }

    /// Processes the bytes requested by `need`.
    package mutating func take(_ bytes: UnsafeBufferPointer<UInt8>, isEnd: Bool) {
        switch reader {
        case .zipEnd: beginZip(bytes)
        case .tar(var tar):
            let step = resolved(tar.step(bytes, isEnd: isEnd))
            reader = .tar(tar)
            need = .bytes(position: tar.position, count: 512)
            if gathersTar, case .member(let member) = step {
                gathered.append(member)
            } else {
                take(step, isAtEnd: bytes.isEmpty && tar.position == byteCount ?? tar.position)
            }
        case .zip(var directory, let isSorted):
            let step = directory.step(bytes, isEnd: isEnd)
            reader = .zip(directory, isSorted: isSorted)
            need = .bytes(position: directory.position, count: 46)
            if isSorted, case .member(let member) = step {
                gathered.append(member)
            } else {
                take(step, isAtEnd: false)
            }
        case .sorted(let members, let next):
            guard next < members.count else { return end() }
            reader = .sorted(members, next: next + 1)
            take(.member(members[next]), isAtEnd: false)
        case .ended: break
        }
    }

    /// Processes the content requested by `need`; pass nil if the content could not be read.
    package mutating func note(_ content: [UInt8]?) {
        if let content { lines.note(content) }
        need = nextNeed
    }

    private var nextNeed: Need {
        switch reader {
        case .tar(let tar): .bytes(position: tar.position, count: 512)
        case .zip(let directory, _): .bytes(position: directory.position, count: 46)
        // No bytes are required, because the next member is already known.
        case .sorted: .bytes(position: 0, count: 0)
        case .zipEnd, .ended: .nothing
        }
    }

    private mutating func beginZip(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let end = ZipEnd(inLast: Array(bytes), ofFileOf: byteCount ?? bytes.count) else {
            fault = "has no valid directory at its end"
            return finish()
        }
        let directory = ZipDirectory(end, charset: charset)
        reader = .zip(directory, isSorted: end.count <= ArchiveOrder.largestCount)
        need = nextNeed
    }

    private mutating func take(_ step: ArchiveStep, isAtEnd: Bool) {
        switch step {
        case .needs(let count):
            if case .bytes(let position, _) = need {
                need = .bytes(position: position, count: count)
            }
        case .moved: need = nextNeed
        case .member(let member):
            need = nextNeed
            if lines.take(member) == .content { need = .note(ArchivePlace(member)) }
        case .damaged(let text):
            fault = text
            end()
        case .end(let isCut):
            if isCut, !isAtEnd { fault = "is truncated" }
            end()
        }
    }

    /// Returns `step`, with a hard link replaced by the linked file.
    private mutating func resolved(_ step: ArchiveStep) -> ArchiveStep {
        if case .member(let member) = step { .member(hardLinks.resolved(member)) } else { step }
    }

    /// Sorts the collected members, or finishes if no member was collected.
    private mutating func end() {
        guard !gathered.isEmpty else { return finish() }
        let isTar = if case .tar = reader { true } else { false }
        let sorted =
            isTar
            ? ArchiveOrder.grouped(HardLinks.resolvedForward(gathered))
            : ArchiveOrder.sorted(gathered)
        lines.leaveOut(replaced: sorted.replacedCount)
        gathered = []
        reader = .sorted(sorted.members, next: 0)
        need = nextNeed
    }

    private mutating func finish() {
        lines.end()
        reader = .ended
        need = .nothing
    }
}

/// The position of a member in an archive.
package struct ArchivePlace: Hashable, Sendable {
    package let member: ArchiveMember

    package init(_ member: ArchiveMember) {
        self.member = member
    }

    /// The length of the member in bytes.
    package var byteCount: Int { member.byteCount }

    /// The offset of the content, or nil if the content is compressed or follows a local header.
    package var plainOffset: Int? {
        if case .plain(let offset) = member.place { offset } else { nil }
    }

    /// Returns the URL of the member in an archive, or nil if the archive is remote or the member
    /// is unreadable.
    package func file(in archive: ArchiveBase) -> ArchivedFile? { archive.file(member) }
}
