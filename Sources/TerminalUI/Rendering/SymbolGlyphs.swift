package import Decoders

/// The number of image pixels in a cell, horizontally and vertically.
package struct CellGrid: Hashable, Sendable {
    package let columns: Int
    package let rows: Int

    package var pixelCount: Int { columns * rows }

    /// Returns the size in pixels of an image that fills `layout`, a size in half cells.
    ///
    /// Horizontally, the image covers whole cells. Vertically, it has the nearest number of pixel
    /// rows. Therefore, all symbol sets fill the same area, regardless of the shape of their
    /// pixels.
    package func pixels(filling layout: PixelSize) -> PixelSize {
        PixelSize(width: layout.width * columns, height: (layout.height * rows + 1) / 2)
    }

    /// Returns the same size as `pixels(filling:)`, or the size of `image` if it is nearly the
    /// same.
    ///
    /// The two sizes may differ by one row because of rounding. If an image was decoded for these
    /// symbols, resampling it for this difference would blur it.
    package func pixels(filling layout: PixelSize, of image: PixelSize) -> PixelSize {
        let size = pixels(filling: layout)
        let isNear = size.width == image.width && abs(size.height - image.height) <= 1
        let limit = (layout.height + 1) / 2 * rows
        return isNear && image.height <= limit ? image : size
    }
}

extension PixelSize {
    /// Returns whether this size is at least as large as `other` in both directions.
    package func covers(_ other: PixelSize) -> Bool {
        width >= other.width && height >= other.height
    }
}

extension SymbolSet {
    /// The number of pixels in a cell, horizontally and vertically.
    package var grid: CellGrid {
        switch self {
        case .halfBlocks, .ascii: CellGrid(columns: 1, rows: 2)
        case .quadrants: CellGrid(columns: 2, rows: 2)
        case .sextants: CellGrid(columns: 2, rows: 3)
        case .octants, .braille: CellGrid(columns: 2, rows: 4)
        }
    }

    /// Returns the size at which to decode an image for a box of cells.
    ///
    /// The size is the number of square pixels that the symbols can show. It is the same for all
    /// sets that are finer than half cells, so the image is not reloaded if the user switches
    /// between these sets.
    package func imageSize(filling box: ScreenSize) -> PixelSize {
        let scale = grid.columns
        return PixelSize(width: box.columns * scale, height: box.rows * 2 * scale)
    }
}

/// The character for each pattern of a cell's pixels.
///
/// Bit 0 of a pattern is the top-left pixel; the other bits follow from left to right and from top
/// to bottom. If a bit is set, its pixel has the foreground color. Positions correspond to the
/// character names in Unicode 16 (BLOCK SEXTANT-n, BLOCK OCTANT-n). Tests compare every entry with
/// these names.
extension SymbolSet {
    /// Returns the character for a pattern; in the ASCII set, the pattern is the character.
    package func glyph(_ pattern: UInt8) -> UInt32 {
        switch self {
        case .ascii: UInt32(pattern)
        case .halfBlocks: Self.halfBlockGlyphs[Int(pattern & 3)]
        case .quadrants: Self.quadrantGlyphs[Int(pattern & 15)]
        case .sextants: Self.sextantGlyphs[Int(pattern & 63)]
        case .octants: Self.octantGlyphs[Int(pattern)]
        case .braille: Self.brailleGlyphs[Int(pattern)]
        }
    }

    /// Twelve characters from the set, with which the user can check whether a terminal displays
    /// them.
    package var sample: String {
        let last = (1 << grid.pixelCount) - 1
        let patterns =
            self == .ascii
            ? Array(" .:-=+*#%@#*".utf8)
            : (1...12).map { UInt8(truncatingIfNeeded: $0 * 37 % last + 1) }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: patterns.compactMap { Unicode.Scalar(glyph($0)) })
        return String(text)
    }

    private static let halfBlockGlyphs: [UInt32] = [0x20, 0x2580, 0x2584, 0x2588]

    private static let quadrantGlyphs: [UInt32] = [
        0x20, 0x2598, 0x259D, 0x2580, 0x2596, 0x258C, 0x259E, 0x259B,
        0x2597, 0x259A, 0x2590, 0x259C, 0x2584, 0x2599, 0x259F, 0x2588,
    ]

    /// The sextant characters from U+1FB00 to U+1FB3B, in the order of their patterns.
    ///
    /// The patterns in `except` are represented by older characters.
    private static let sextantGlyphs = filled(
        count: 64,
        from: 0x1FB00,
        except: [0: 0x20, 0b010101: 0x258C, 0b101010: 0x2590, 0b111111: 0x2588]
    )

    /// The octant characters from U+1CD00 to U+1CDE5, in the order of their patterns.
    ///
    /// The patterns in `except` are represented by other characters.
    private static let octantGlyphs = filled(
        count: 256,
        from: 0x1CD00,
        except: [
            // Each number lists the rows of two pixels from bottom to top.
            0b00_00_00_00: 0x20, 0b11_11_11_11: 0x2588,
            0b00_00_11_11: 0x2580, 0b11_11_00_00: 0x2584,
            0b01_01_01_01: 0x258C, 0b10_10_10_10: 0x2590,
            0b11_00_00_00: 0x2582, 0b11_11_11_00: 0x2586,
            0b00_00_00_11: 0x1FB82, 0b00_11_11_11: 0x1FB85,
            // Quadrants.
            0b00_00_01_01: 0x2598, 0b00_00_10_10: 0x259D,
            0b01_01_00_00: 0x2596, 0b10_10_00_00: 0x2597,
            0b01_01_11_11: 0x259B, 0b10_10_11_11: 0x259C,
            0b11_11_01_01: 0x2599, 0b11_11_10_10: 0x259F,
            0b10_10_01_01: 0x259A, 0b01_01_10_10: 0x259E,
            // One pixel in a corner.
            0b00_00_00_01: 0x1CEA8, 0b00_00_00_10: 0x1CEAB,
            0b01_00_00_00: 0x1CEA3, 0b10_00_00_00: 0x1CEA0,
            // The two middle pixels of a column.
            0b00_01_01_00: 0x1FBE6, 0b00_10_10_00: 0x1FBE7,
        ]
    )

    /// The braille patterns.
    ///
    /// In the upper three rows, dots 1 to 3 are the left column and dots 4 to 6 are the right
    /// column. Dots 7 and 8 are the last row.
    private static let brailleGlyphs: [UInt32] = (0..<256).map { pattern in
        let dots: [UInt32] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]
        return dots.indices.reduce(0x2800) { pattern >> $1 & 1 == 1 ? $0 + dots[$1] : $0 }
    }

    private static func filled(
        count: Int,
        from first: UInt32,
        except exceptions: [Int: UInt32]
    ) -> [UInt32] {
        var next = first
        return (0..<count).map { pattern in
            if let exception = exceptions[pattern] { return exception }
            defer { next += 1 }
            return next
        }
    }
}
