/// Functions that sort the members of an archive after its complete directory was read.
package enum ArchiveOrder {
    /// The maximum number of members to sort.
    ///
    /// Sorting more members would take too long, so the images of larger archives are shown in the
    /// order of the archive.
    package static let largestCount = 100_000

    /// Returns the members in the order of the archive.
    ///
    /// If several members have the same name, returns only the last of them.
    static func withoutReplaced(
        _ members: [ArchiveMember]
    ) -> (members: [ArchiveMember], replacedCount: Int) {
        var last: [[UInt8]: Int] = [:]
        for (index, member) in members.enumerated() { last[member.name] = index }
        let kept = members.indices.filter { last[members[$0].name] == $0 }.map { members[$0] }
        return (kept, members.count - kept.count)
    }

    /// Returns the members in natural order of their paths.
    ///
    /// If several members have the same name, returns only the last of them.
    package static func sorted(
        _ members: [ArchiveMember]
    ) -> (members: [ArchiveMember], replacedCount: Int) {
        let keyed = members.indices.map { index in
            let name = String(decoding: members[index].name, as: UTF8.self)
            return (key: NaturalOrder.key(of: name), index: index)
        }
        let order = keyed.sorted { left, right in
            guard left.key == right.key else {
                return left.key.lexicographicallyPrecedes(right.key)
            }
            return left.index < right.index
        }
        var sorted: [ArchiveMember] = []
        sorted.reserveCapacity(members.count)
        for (_, index) in order {
            if sorted.last?.name == members[index].name { sorted.removeLast() }
            sorted.append(members[index])
        }
        return (sorted, members.count - sorted.count)
    }
}
