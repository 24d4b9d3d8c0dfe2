import Testing

@testable import TerminalUI

/// The character names in the standard library's copy of the Unicode data specify the glyphs.
@Suite struct SymbolGlyphTests {
    private static let blocks: [SymbolSet] = [.halfBlocks, .quadrants, .sextants, .octants]

    @Test(arguments: blocks + [.braille])
    func `every pattern has its own character`(symbols: SymbolSet) {
        let glyphs = Self.patterns(of: symbols).map { symbols.glyph($0) }

        #expect(Set(glyphs).count == 1 << symbols.grid.pixelCount)
    }

    @Test(arguments: blocks + [.braille])
    func `every character draws its pattern`(symbols: SymbolSet) throws {
        for pattern in Self.patterns(of: symbols) {
            let glyph = try #require(Unicode.Scalar(symbols.glyph(pattern)))
            let name = try #require(glyph.properties.name, "U+\(String(glyph.value, radix: 16))")

            let drawn = try #require(Drawing(name: name), "\(name)")

            #expect(drawn.pattern(in: symbols.grid) == pattern, "\(name)")
        }
    }

    @Test func `all sextants and octants are used`() {
        let sextants = Set(Self.patterns(of: .sextants).map { SymbolSet.sextants.glyph($0) })
        let octants = Set(Self.patterns(of: .octants).map { SymbolSet.octants.glyph($0) })

        #expect(sextants.isSuperset(of: 0x1FB00...0x1FB3B))
        #expect(octants.isSuperset(of: 0x1CD00...0x1CDE5))
    }

    @Test func `every character takes one column`() throws {
        for symbols in SymbolSet.allCases {
            for pattern in Self.patterns(of: symbols) {
                let glyph = try #require(Unicode.Scalar(symbols.glyph(pattern)))

                #expect(CharacterWidth.columns(of: glyph) == 1, "\(glyph)")
            }
        }
    }

    private static func patterns(of symbols: SymbolSet) -> [UInt8] {
        symbols == .ascii
            ? Array(0x20...0x7E)
            : (0..<1 << symbols.grid.pixelCount).map { UInt8($0) }
    }
}

/// The glyph of a character, on a grid of 2×12 that is a multiple of all pixel grids.
private struct Drawing {
    /// Places, row by row.
    private let places: Set<Int>

    init?(name: String) {
        if let numbers = Self.numbers(name, after: "BLOCK SEXTANT-") {
            self.init(numbers: numbers, rows: 3)
        } else if let numbers = Self.numbers(name, after: "BLOCK OCTANT-") {
            self.init(numbers: numbers, rows: 4)
        } else if name.hasPrefix("BRAILLE PATTERN") {
            let dots = Self.numbers(name, after: "BRAILLE PATTERN DOTS-") ?? []
            self.init(numbers: dots.map { [1, 3, 5, 2, 4, 6, 7, 8][$0 - 1] }, rows: 4)
        } else if name.hasPrefix("QUADRANT ") {
            let corners = name.dropFirst("QUADRANT ".count).split(separator: " AND ")
            let all = ["UPPER LEFT", "UPPER RIGHT", "LOWER LEFT", "LOWER RIGHT"]
            let numbers = corners.compactMap { all.firstIndex(of: String($0)) }.map { $0 + 1 }
            self.init(numbers: numbers, rows: 2)
        } else if let octants = Self.blocks[name] {
            self.init(numbers: octants, rows: 4)
        } else {
            return nil
        }
    }

    private init(numbers: [Int], rows: Int) {
        let height = 12 / rows
        places = Set(
            numbers.flatMap { number in
                let (row, column) = ((number - 1) / 2, (number - 1) % 2)
                return (row * height..<(row + 1) * height).map { $0 * 2 + column }
            }
        )
    }

    /// The pattern of a grid's pixels.
    func pattern(in grid: CellGrid) -> UInt8? {
        let height = 12 / grid.rows
        var pattern: UInt8 = 0
        for pixel in 0..<grid.pixelCount {
            let (row, column) = (pixel / grid.columns, pixel % grid.columns)
            let columns = grid.columns == 1 ? [0, 1] : [column]
            let pixels = (row * height..<(row + 1) * height).flatMap { line in
                columns.map { line * 2 + $0 }
            }
            let drawn = pixels.count { places.contains($0) }
            // A pixel that is drawn in part can't be shown.
            guard drawn == 0 || drawn == pixels.count else { return nil }
            if drawn > 0 { pattern |= 1 << pixel }
        }
        return pattern
    }

    private static func numbers(_ name: String, after prefix: String) -> [Int]? {
        guard name.hasPrefix(prefix) else { return nil }
        return name.dropFirst(prefix.count).compactMap(\.wholeNumberValue)
    }

    /// The octants of the characters whose names have no numbers.
    private static let blocks: [String: [Int]] = [
        "SPACE": [], "FULL BLOCK": [1, 2, 3, 4, 5, 6, 7, 8],
        "UPPER HALF BLOCK": [1, 2, 3, 4], "LOWER HALF BLOCK": [5, 6, 7, 8],
        "LEFT HALF BLOCK": [1, 3, 5, 7], "RIGHT HALF BLOCK": [2, 4, 6, 8],
        "UPPER ONE QUARTER BLOCK": [1, 2], "LOWER ONE QUARTER BLOCK": [7, 8],
        "UPPER THREE QUARTERS BLOCK": [1, 2, 3, 4, 5, 6],
        "LOWER THREE QUARTERS BLOCK": [3, 4, 5, 6, 7, 8],
        "LEFT HALF UPPER ONE QUARTER BLOCK": [1], "RIGHT HALF UPPER ONE QUARTER BLOCK": [2],
        "LEFT HALF LOWER ONE QUARTER BLOCK": [7], "RIGHT HALF LOWER ONE QUARTER BLOCK": [8],
        "MIDDLE LEFT ONE QUARTER BLOCK": [3, 5], "MIDDLE RIGHT ONE QUARTER BLOCK": [4, 6],
    ]
}
