/// Sorts the members of an archive after its entire directory has been read.
package enum ArchiveOrder {
    /// The maximum number of members to sort.
    ///
    /// Sorting more members would take too long, so the images of larger archives are shown in the
    /// order of the archive.
    package static let largestCount = 100_000

    /// Returns the members in archive order, but with images next to the file that describes them.
    ///
    /// If several members have the same name, returns only the last of them.
    static func grouped(
        _ members: [ArchiveMember]
    ) -> (members: [ArchiveMember], replacedCount: Int) {
        let names = members.map { ArchiveName($0.name) }
        func path(_ index: Int) -> [UInt8] { names[index]?.path ?? members[index].name }
        var last: [[UInt8]: Int] = [:]
        for index in members.indices { last[path(index)] = index }
        let kept = members.indices.filter { last[path($0)] == $0 }
        let described = Set(
            kept.compactMap { index in names[index].flatMap { $0.isNote ? $0.key : nil } }
        )
        var places: [ArraySlice<UInt8>: Int] = [:]
        var groups: [[ArchiveMember]] = []
        for index in kept {
            let key = names[index]?.key
            if let key, let place = places[key] {
                groups[place].append(members[index])
            } else {
                if let key, described.contains(key) { places[key] = groups.count }
                groups.append([members[index]])
            }
        }
        return (groups.flatMap(\.self), members.count - kept.count)
    }

    /// Returns the members in natural order of their paths.
    ///
    /// If several members have the same name, returns only the last of them.
    package static func sorted(
        _ members: [ArchiveMember]
    ) -> (members: [ArchiveMember], replacedCount: Int) {
        let order = NaturalOrder.indices(
            of: members.map { String(decoding: $0.name, as: UTF8.self) }
        )
        var sorted: [ArchiveMember] = []
        sorted.reserveCapacity(members.count)
        for index in order {
            if sorted.last?.name == members[index].name { sorted.removeLast() }
            sorted.append(members[index])
        }
        return (sorted, members.count - sorted.count)
    }
}
