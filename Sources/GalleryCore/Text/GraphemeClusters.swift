internal import ImageLoading

/// Numbers for what a cell shows of several scalars: a letter with its marks, an emoji sequence.
///
/// A cell holds 32 bits, and painters compare millions of cells by them. So each cluster is kept
/// once for the whole process and its number, which is no Unicode scalar, stands in the cells. It
/// stays the same for ever; a feed of random marks fills the table, and then letters lose theirs.
package enum GraphemeClusters {
    /// Numbers from here on stand for clusters.
    package static let first: UInt32 = 0x8000_0000
    /// Numbers from here on stand for clusters that go on with the character of the column before,
    /// as a spacing vowel sign does.
    package static let firstContinuation: UInt32 = 0xC000_0000
    /// A letter and its marks: what a cell of ncurses has room for.
    static let letterLimit = 5
    /// The longest emoji sequences there are, two people and what is between them, have ten.
    static let sequenceLimit = 10

    private static let capacity = 1 << 16
    private static let table = Protected(Table())

    private struct Table {
        var numbers: [[UInt32]: UInt32] = [:]
        var clusters: [[UInt32]] = []
    }

    /// The number of a cluster; nil if the table is full.
    package static func number(of scalars: [UInt32], isContinuation: Bool = false) -> UInt32? {
        let index: UInt32? = table.withLock { table in
            if let known = table.numbers[scalars] { return known }
            guard table.clusters.count < capacity else { return nil }
            let index = UInt32(table.clusters.count)
            table.clusters.append(scalars)
            table.numbers[scalars] = index
            return index
        }
        return index.map { (isContinuation ? firstContinuation : first) | $0 }
    }

    /// The scalars of a number; U+FFFD for a number that was never given.
    package static func scalars(of number: UInt32) -> [UInt32] {
        let index = Int(number & 0x3FFF_FFFF)
        return table.withLock { table in
            table.clusters.indices.contains(index) ? table.clusters[index] : [0xFFFD]
        }
    }
}

extension FrameCell {
    /// What the cell shows: one scalar, several, or none in the right half of a wide character.
    public var scalars: [UInt32] { Self.scalars(of: scalar) }

    /// Whether the cell goes on with the character of the cell before: the right half of a wide
    /// one, or a further column of a letter and its marks.
    public var isContinuation: Bool { Self.isContinuation(scalar) }

    /// What a column shows.
    static func scalars(of column: UInt32) -> [UInt32] {
        switch column {
        case 0: []
        case GraphemeClusters.first...: GraphemeClusters.scalars(of: column)
        default: [column]
        }
    }

    /// Whether a column goes on with the character of the column before.
    static func isContinuation(_ column: UInt32) -> Bool {
        column == 0 || column >= GraphemeClusters.firstContinuation
    }
}
