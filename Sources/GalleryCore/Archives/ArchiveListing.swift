internal import FeedDocuments
package import ImageLoading

/// The directory of an archive on the way through: asks for the bytes that it needs next, and makes lines
/// of the members that it finds in them.
///
/// Pure: whoever has the archive brings the bytes. Of tar the headers are read one after the other; of zip
/// the last bytes, then the directory, and as many members as can be sorted come in natural order.
public struct ArchiveListing: Sendable {
    /// What it asks for.
    public enum Need: Hashable, Sendable {
        /// At least `count` bytes from a position on; fewer only at the archive's end.
        case bytes(position: Int, count: Int)
        /// The whole of a small member, for `note`; nil if it can't be had.
        case note(ArchivePlace)
        /// Nothing: it is complete, or can't go on.
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
    private var lines = ArchiveLines()
    private let byteCount: Int?
    /// What it needs next.
    public private(set) var need: Need
    /// Why not all of the archive is there; the text finishes "the archive …".
    public private(set) var fault: String?

    /// Whether the first 512 bytes of an archive are a header of tar.
    public static func isTar(_ start: [UInt8]) -> Bool { TarReader.isTar(start) }

    /// Of a tar archive, whose length need not be known.
    public init(tarOf byteCount: Int? = nil) {
        self.byteCount = byteCount
        reader = .tar(TarReader())
        need = .bytes(position: 0, count: 512)
    }

    /// Of a zip archive.
    public init(zipOf byteCount: Int) {
        self.byteCount = byteCount
        reader = .zipEnd
        let count = min(byteCount, ZipEnd.searchByteCount)
        need = .bytes(position: byteCount - count, count: count)
    }

    /// How many pictures were found, and what is left out.
    public var tally: ArchiveTally { lines.tally }

    /// The lines of the pictures that were found since the last time.
    public mutating func takeLines() -> [UInt8] { lines.takeLines() }

    /// Takes the bytes that it asked for.
    public mutating func take(_ bytes: UnsafeBufferPointer<UInt8>, isEnd: Bool) {
        switch reader {
        case .zipEnd: beginZip(bytes)
        case .tar(var tar):
            let step = tar.step(bytes, isEnd: isEnd)
            reader = .tar(tar)
            need = .bytes(position: tar.position, count: 512)
            take(step, isAtEnd: bytes.isEmpty && tar.position == byteCount ?? tar.position)
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

    /// Takes the note that it asked for.
    public mutating func note(_ content: [UInt8]?) {
        if let content { lines.note(content) }
        need = nextNeed
    }

    private var nextNeed: Need {
        switch reader {
        case .tar(let tar): .bytes(position: tar.position, count: 512)
        case .zip(let directory, _): .bytes(position: directory.position, count: 46)
        // Without bytes: the next member is known.
        case .sorted: .bytes(position: 0, count: 0)
        case .zipEnd, .ended: .nothing
        }
    }

    private mutating func beginZip(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let end = ZipEnd(inLast: Array(bytes), ofFileOf: byteCount ?? bytes.count) else {
            fault = "has no valid directory at its end"
            return finish()
        }
        reader = .zip(ZipDirectory(end), isSorted: end.count <= ArchiveOrder.largestCount)
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

    /// What was gathered is sorted, and then there is no more.
    private mutating func end() {
        guard !gathered.isEmpty else { return finish() }
        let sorted = ArchiveOrder.sorted(gathered)
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

/// Where a member of an archive is, for whoever reads it.
public struct ArchivePlace: Hashable, Sendable {
    let member: ArchiveMember

    init(_ member: ArchiveMember) {
        self.member = member
    }

    /// How long it is.
    public var byteCount: Int { member.byteCount }

    /// Where its bytes begin, if they stand in the archive as they are, with nothing before them.
    public var plainOffset: Int? {
        if case .plain(let offset) = member.place { offset } else { nil }
    }

    /// The member as it is read.
    package func file(in archive: ArchiveBase) -> ArchivedFile? { archive.file(member) }
}
