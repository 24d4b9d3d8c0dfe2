/// A table of the files in a tar archive, for resolving hard links and finding replaced files.
///
/// A hard link has no bytes of its own. It refers to an earlier file or, in a damaged or hostile
/// archive, to a later file, to a missing file or to itself.
struct HardLinks: Sendable {
    private struct Target {
        let place: ArchiveMember.Place
        let byteCount: Int
    }

    /// The files, keyed by a hash of their names to save memory in a large archive.
    private var targets: [Int: Target] = [:]
    /// The images that a later file with the same name replaces.
    ///
    /// Files after the first `maximumCount` are not compared.
    private(set) var replacedImages: [ArchiveMember] = []

    /// The maximum number of files, which take about 12 MB of memory.
    ///
    /// Hard links to further files are omitted.
    private static let maximumCount = 1 << 18

    /// Returns the linked file under the link's name if the member is a hard link; otherwise
    /// returns the member.
    ///
    /// If the linked file is unknown, returns the link unchanged.
    mutating func resolved(_ member: ArchiveMember) -> ArchiveMember {
        switch member.kind {
        case .hardLink(let name):
            guard let target = targets[Self.key(of: name)] else { return member }
            let file = ArchiveMember(
                name: member.name,
                kind: .file,
                byteCount: target.byteCount,
                place: target.place
            )
            note(file)
            return file
        case .file:
            note(member)
            return member
        case .folder, .link, .other, .unreadable: return member
        }
    }

    /// Returns the members with each remaining link resolved to the next matching file after it.
    ///
    /// The members are read from the end, so links to later links are also resolved.
    static func resolvedForward(_ members: [ArchiveMember]) -> [ArchiveMember] {
        let hasLinks = members.contains { if case .hardLink = $0.kind { true } else { false } }
        guard hasLinks else { return members }
        var following = HardLinks()
        return members.reversed().map { following.resolved($0) }.reversed()
    }

    private mutating func note(_ file: ArchiveMember) {
        guard targets.count < Self.maximumCount else { return }
        let target = Target(place: file.place, byteCount: file.byteCount)
        guard let old = targets.updateValue(target, forKey: Self.key(of: file.name)),
            old.place != target.place,
            let name = ArchiveName(file.name), name.isPicture, !name.isHidden
        else { return }
        replacedImages.append(
            ArchiveMember(
                name: file.name,
                kind: .file,
                byteCount: old.byteCount,
                place: old.place
            )
        )
    }

    private static func key(of name: [UInt8]) -> Int { ArchiveName.path(of: name).hashValue }
}
