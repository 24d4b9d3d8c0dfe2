/// A table of the files in a tar archive, for resolving hard links.
///
/// A hard link has no bytes of its own. It refers to an earlier file or, in a damaged or hostile
/// archive, to a missing file.
struct HardLinks: Sendable {
    private struct Target {
        let place: ArchiveMember.Place
        let byteCount: Int
    }

    /// The files, keyed by a hash of their names.
    ///
    /// The names themselves would take a lot of memory in a large archive.
    private var targets: [Int: Target] = [:]

    /// The maximum number of files; this many files take about 12 MB of memory.
    ///
    /// If there are more files, hard links to the additional files are left out.
    private static let maximumCount = 1 << 18

    /// Returns the member itself or, if it is a hard link, the linked file under the name of the
    /// link.
    ///
    /// If the linked file is unknown, returns the link unchanged.
    mutating func resolved(_ member: ArchiveMember) -> ArchiveMember {
        switch member.kind {
        case .hardLink(let name):
            guard let target = targets[name.hashValue] else { return member }
            return ArchiveMember(
                name: member.name,
                kind: .file,
                byteCount: target.byteCount,
                place: target.place
            )
        case .file:
            if targets.count < Self.maximumCount {
                targets[member.name.hashValue] = Target(
                    place: member.place,
                    byteCount: member.byteCount
                )
            }
            return member
        case .folder, .link, .other, .unreadable: return member
        }
    }
}
