/// The parts of its cell that a block character fills, on a grid of 2 columns and 12 rows, the
/// coarsest grid with halves, thirds and quarters.
///
/// Written from the Unicode charts (Block Elements, Symbols for Legacy Computing and its
/// supplement), not from the program under test.
public struct GlyphShape: Sendable {
    /// The number of columns of the grid.
    public static let columnCount = 2
    /// The number of rows of the grid.
    public static let rowCount = 12

    private let isFilled: [Bool]

    /// Creates the shape of a character; nil if it is not a block character.
    public init?(_ scalar: Unicode.Scalar) {
        guard let shape = Self.shapes[scalar] else { return nil }
        self = shape
    }

    /// Returns whether the color of the character is visible at a position of the grid.
    public func isFilled(column: Int, row: Int) -> Bool {
        isFilled[row * Self.columnCount + column]
    }

    /// Creates a shape from `rows` parts from top to bottom, each with a left and a right half: bit
    /// 0 is the top left, bit 1 the top right, bit 2 the left half below, and so on.
    private init(_ pattern: Int, rows: Int) {
        isFilled = (0..<Self.rowCount).flatMap { row in
            (0..<2).map { column in
                pattern >> (row * rows / Self.rowCount * 2 + column) & 1 == 1
            }
        }
    }

    private static let shapes = blocks.merging(sextants) { block, _ in block }
        .merging(octants) { block, _ in block }

    /// Spaces, halves, quarters and the quadrants.
    private static let blocks: [Unicode.Scalar: GlyphShape] = {
        let quadrants: [(Unicode.Scalar, Int)] = [
            (" ", 0), ("█", 15), ("▀", 3), ("▄", 12), ("▌", 5), ("▐", 10), ("▖", 4), ("▗", 8),
            ("▘", 1), ("▝", 2), ("▙", 13), ("▛", 7), ("▜", 11), ("▟", 14), ("▚", 9), ("▞", 6),
        ]
        let quarters: [(UInt32, Int)] = [
            (0x2582, 0xC0), (0x2586, 0xFC), (0x1FB82, 0x03), (0x1FB85, 0x3F), (0x1FBE6, 0x14),
            (0x1FBE7, 0x28), (0x1CEA0, 0x80), (0x1CEA3, 0x40), (0x1CEA8, 0x01), (0x1CEAB, 0x02),
        ]
        var shapes: [Unicode.Scalar: GlyphShape] = [:]
        for (scalar, pattern) in quadrants { shapes[scalar] = GlyphShape(pattern, rows: 2) }
        for (code, pattern) in quarters {
            Unicode.Scalar(code).map { shapes[$0] = GlyphShape(pattern, rows: 4) }
        }
        return shapes
    }()

    /// U+1FB00 to U+1FB3B: all patterns in order except the empty one, the full one and the two
    /// halves.
    private static let sextants = shapes(
        from: 0x1FB00,
        patterns: (1..<63).filter { $0 != 0x15 && $0 != 0x2A },
        rows: 3
    )

    /// U+1CD00 to U+1CDE5: all patterns in order except the ones of other block characters.
    private static let octants: [Unicode.Scalar: GlyphShape] = {
        let quadrants = (0..<16).map { pattern in
            [(1, 0x05), (2, 0x0A), (4, 0x50), (8, 0xA0)].reduce(0) { sum, part in
                pattern & part.0 == 0 ? sum : sum | part.1
            }
        }
        let quarters = [0x01, 0x02, 0x03, 0x14, 0x28, 0x3F, 0x40, 0x80, 0xC0, 0xFC]
        let elsewhere = Set(quadrants + quarters)
        return shapes(
            from: 0x1CD00,
            patterns: (0..<256).filter { !elsewhere.contains($0) },
            rows: 4
        )
    }()

    private static func shapes(
        from first: UInt32,
        patterns: [Int],
        rows: Int
    ) -> [Unicode.Scalar: GlyphShape] {
        var shapes: [Unicode.Scalar: GlyphShape] = [:]
        for (index, pattern) in patterns.enumerated() {
            Unicode.Scalar(first + UInt32(index)).map {
                shapes[$0] = GlyphShape(pattern, rows: rows)
            }
        }
        return shapes
    }
}
