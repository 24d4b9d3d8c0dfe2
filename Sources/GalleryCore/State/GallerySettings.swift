/// What the person chose on the command line.
public struct GallerySettings: Hashable, Sendable {
    /// How wide the tiles of the grid are to be, in columns; nil if the window decides.
    public var tileWidth: Int?
    /// Whether the gallery scrolls by itself from the start.
    public var scrollsByItself: Bool
    /// How many ticks each row stays at the top while it does.
    public var ticksPerRow: Int
    /// Whether images that are not on the screen yet are prefetched.
    public var prefetches: Bool
    /// How long each picture of a slideshow stays; nil starts none.
    public var slideshow: Duration?
    /// Labels, what they are called and which were given earlier.
    public var labelling = LabelSettings()
    /// What the program that started the gallery is told at the end.
    public var picking = Picking.nothing

    /// Makes settings; by default tiles as the window suggests, no scrolling, 0.8 s a row,
    /// prefetching.
    public init(
        tileWidth: Int? = nil,
        scrollsByItself: Bool = false,
        ticksPerRow: Int = 8,
        prefetches: Bool = true
    ) {
        self.tileWidth = tileWidth
        self.scrollsByItself = scrollsByItself
        self.ticksPerRow = max(1, ticksPerRow)
        self.prefetches = prefetches
    }
}
