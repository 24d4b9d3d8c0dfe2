/// The image that a screen shows: each cell as 2×12 pixels, cropped to the painted area.
public struct PrintedPicture: Sendable {
    /// The number of pixels in a row.
    public let width: Int
    /// The number of rows.
    public let height: Int
    /// The pixels, row by row from the top.
    public let pixels: [Color]

    /// Finds the image; nil if nothing is painted, or if the painted area is not a full rectangle.
    ///
    /// Surrounding words, such as a caption, do not count, because they have no colors of their
    /// own.
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

    /// Returns the pixel rows of a row of cells; a pixel is nil if the terminal's own color is
    /// visible.
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

    /// Returns every `stepX`th pixel of every `stepY`th row: the image's own pixels, if its blocks
    /// have this size; otherwise nil.
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
