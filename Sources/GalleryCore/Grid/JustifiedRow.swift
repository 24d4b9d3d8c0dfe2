/// The widths of the tiles in a justified row.
///
/// Each tile is as wide as its image would be at the height of the row. Then the widths are scaled
/// so that the row is as wide as a row of equal tiles. A row always has the same images, so nothing
/// moves to another row while the sizes of images become known.
enum JustifiedRow {
    /// The largest width of a tile, as a multiple of the width of equal tiles.
    static let mostTiles = 2

    /// Returns the widths of the tiles in columns.
    ///
    /// `natural` contains the widths of the images at the height of the row, or nil for unknown
    /// widths. `tile` is the width of equal tiles. No tile becomes narrower than `least` columns.
    static func widths(natural: [Double?], tile: Int, least: Int) -> [Int] {
        let least = Double(min(tile, least))
        let shares = natural.map { width in
            min(max(width ?? Double(tile), 1), Double(tile * mostTiles))
        }
        var narrow: Set<Int> = []
        var factor = 1.0
        while true {
            let wide = shares.indices.filter { !narrow.contains($0) }
            let room = Double(shares.count * tile) - Double(narrow.count) * least
            factor = room / wide.reduce(0) { $0 + shares[$1] }
            let tooNarrow = wide.filter { shares[$0] * factor < least }
            guard !tooNarrow.isEmpty, tooNarrow.count < wide.count else { break }
            narrow.formUnion(tooNarrow)
        }
        // The edges are rounded, not the widths, so that rounding errors do not add up.
        var end = 0.0
        var edge = 0
        return shares.indices.map { index in
            end += narrow.contains(index) ? least : shares[index] * factor
            let width = Int(end.rounded()) - edge
            edge += width
            return width
        }
    }
}
