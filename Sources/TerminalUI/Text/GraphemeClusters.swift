internal import SystemSupport

/// Assigns a number to each grapheme cluster that consists of several Unicode scalars.
///
/// Such a cluster is a letter with combining marks, or an emoji sequence. A cell has 32 bits, and
/// painters compare millions of cells, so each cluster is stored once per process, and cells
/// contain its number, which is not a Unicode scalar. Numbers never change. A feed of random
/// combining marks can fill the table. After that, letters in new clusters are drawn without their
/// combining marks.
package enum GraphemeClusters {
    /// The first number used for clusters.
    package static let first: UInt32 = 0x8000_0000
    /// The first number for clusters that continue the character in the previous column.
    ///
    /// A spacing vowel sign is such a cluster.
    package static let firstContinuation: UInt32 = 0xC000_0000
    /// The maximum number of scalars in a letter with combining marks, as in an ncurses cell.
    static let letterLimit = 5
    /// The maximum number of scalars in an emoji sequence.
    ///
    /// The longest sequences, which show two people and a symbol, have ten scalars.
    static let sequenceLimit = 10

    private static let capacity = 1 << 16
    private static let table = Protected(Table())

    private struct Table {
        var numbers: [[UInt32]: UInt32] = [:]
        var clusters: [[UInt32]] = []
    }

    /// Returns the number of a cluster, or nil if the cluster is new and the table is full.
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

    /// Returns the scalars of the cluster with this number, or U+FFFD if the number is unknown.
    package static func scalars(of number: UInt32) -> [UInt32] {
        let index = Int(number & 0x3FFF_FFFF)
        return table.withLock { table in
            table.clusters.indices.contains(index) ? table.clusters[index] : [0xFFFD]
        }
    }
}

extension FrameCell {
    /// The content of the cell: one or more scalars, or none for the right half of a wide
    /// character.
    package var scalars: [UInt32] { Self.scalars(of: scalar) }

    /// Whether the cell continues the character in the previous cell.
    ///
    /// Such a cell shows the right half of a wide character, or another column of a grapheme
    /// cluster, such as a spacing vowel sign.
    package var isContinuation: Bool { Self.isContinuation(scalar) }

    /// Returns the Unicode scalars that a column value represents, or none for the right half of a
    /// wide character.
    package static func scalars(of column: UInt32) -> [UInt32] {
        switch column {
        case 0: []
        case GraphemeClusters.first...: GraphemeClusters.scalars(of: column)
        default: [column]
        }
    }

    /// Returns whether a column continues the character in the previous column.
    static func isContinuation(_ column: UInt32) -> Bool {
        column == 0 || column >= GraphemeClusters.firstContinuation
    }
}
