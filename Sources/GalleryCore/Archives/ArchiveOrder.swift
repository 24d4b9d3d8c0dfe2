internal import FeedDocuments

/// The order in which the members of a directory are shown that is known as a whole.
enum ArchiveOrder {
    /// More take longer to sort than a person likes to wait: they are shown in the archive's own order.
    static let largestCount = 100_000

    /// In natural order of their paths; of several with one name the last, which replaces the others.
    static func sorted(
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
