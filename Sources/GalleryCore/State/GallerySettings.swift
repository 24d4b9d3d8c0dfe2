/// What the person chose on the command line.
public struct GallerySettings: Hashable, Sendable {
    /// The wished size of the grid's cells.
    public var cellSize: CellSize
    /// Whether the gallery scrolls by itself from the start.
    public var scrollsByItself: Bool
    /// How many ticks each row stays at the top while it does.
    public var ticksPerRow: Int
    /// Whether pictures that are not on the screen yet are loaded.
    public var loadsAhead: Bool

    /// Makes settings; by default the standard cells, no scrolling, 0.8 s a row, loading ahead.
    public init(
        cellSize: CellSize = .standard,
        scrollsByItself: Bool = false,
        ticksPerRow: Int = 8,
        loadsAhead: Bool = true
    ) {
        self.cellSize = cellSize
        self.scrollsByItself = scrollsByItself
        self.ticksPerRow = max(1, ticksPerRow)
        self.loadsAhead = loadsAhead
    }
}
