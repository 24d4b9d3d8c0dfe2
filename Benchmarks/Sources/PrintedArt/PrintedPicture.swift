/// The picture that a screen shows: each cell as 2×12 pixels, cut to what is painted.
public struct PrintedPicture: Sendable {
    /// Pixels in a row.
    public let width: Int
    /// Rows of pixels.
    public let height: Int
    /// Row by row from the top.
    public let pixels: [Color]

    /// Finds the picture; nil if nothing is painted, or not all of a rectangle.
    ///
    /// Words around it, a caption say, don't count: they have no colours of their own.
    public init?(_ screen: Screen) {
        let rows = screen.lines.flatMap(Self.pixelRows)
        let painted = rows.indices.filter { row in rows[row].contains { $0 != nil } }
        guard let top = painted.first, let bottom = painted.last,
            let left = painted.compactMap({ row in rows[row].firstIndex { $0 != nil } }).min(),
            let right = painted.compactMap({ row in rows[row].lastIndex { $0 != nil } }).max()
        else { return nil }
        width = right - left + 1
        height = bottom - top + 1
        pixels = (top...bottom).flatMap { row in
            rows[row].indices.contains(right) ? rows[row][left...right].compactMap { $0 } : []
        }
        guard pixels.count == width * height else { return nil }
    }

    /// The lines of pixels of a line of cells; nil where the terminal's own colour shows.
    private static func pixelRows(_ cells: [Cell]) -> [[Color?]] {
        let shapes = cells.map { GlyphShape($0.character) }
        return (0..<GlyphShape.rowCount).map { row in
            zip(cells, shapes).flatMap { cell, shape in
                (0..<GlyphShape.columnCount).map { column in
                    guard let shape else { return nil }
                    return shape.isFilled(column: column, row: row)
                        ? cell.foreground : cell.background
                }
            }
        }
    }

    /// Every `stepX`th pixel of every `stepY`th row: the picture's own pixels, if its blocks are so
    /// large; nil if they are not.
    public func reduced(by stepX: Int, _ stepY: Int) -> PrintedPicture? {
        guard width.isMultiple(of: stepX), height.isMultiple(of: stepY) else { return nil }
        var result: [Color] = []
        for row in stride(from: 0, to: height, by: stepY) {
            for column in stride(from: 0, to: width, by: stepX) {
                let color = pixels[row * width + column]
                let isBlock = (0..<stepX * stepY).allSatisfy { index in
                    let place = (row + index / stepX) * width + column + index % stepX
                    return pixels[place] == color
                }
                guard isBlock else { return nil }
                result.append(color)
            }
        }
        return PrintedPicture(width: width / stepX, height: height / stepY, pixels: result)
    }

    private init(width: Int, height: Int, pixels: [Color]) {
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }
}
