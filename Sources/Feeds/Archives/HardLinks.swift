/// The files of a tar archive to which hard links may refer.
///
/// A hard link has no bytes of its own. It refers to a file that precedes it, or, in a damaged or
/// hostile archive, to nothing.
struct HardLinks: Sendable {
    private struct Target {
        let place: ArchiveMember.Place
        let byteCount: Int
        let kind: ArchiveMember.Kind
    }

    /// The files, keyed by a hash of their names.
    ///
    /// The names are not stored, because the names in a large archive take a lot of memory.
    private var targets: [Int: Target] = [:]

    /// The maximum number of files; hard links to later files are left out.
    private static let maximumCount = 1 << 20

    /// Returns the member itself or, for a hard link, the file to which the link refers, under the
    /// name of the link.
    ///
    /// A link to an unknown file is returned unchanged.
    mutating func resolved(_ member: ArchiveMember) -> ArchiveMember {
        switch member.kind {
        case .hardLink(let name):
            guard let target = targets[name.hashValue] else { return member }
            return ArchiveMember(
                name: member.name,
                kind: target.kind,
                byteCount: target.byteCount,
                place: target.place
            )
        case .file, .unreadable:
            if targets.count < Self.maximumCount {
                targets[member.name.hashValue] = Target(
                    place: member.place,
                    byteCount: member.byteCount,
                    kind: member.kind
                )
            }
            return member
        case .folder, .link, .other: return member
        }
    }
}
