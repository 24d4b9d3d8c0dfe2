/// What the person chose on the command line and in the configuration.
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
    /// Which theme the person wants; nil leaves it to what the terminal was asked to show.
    public var theme: ThemeChoice?
    /// The person's own colours.
    public var colors: [ColorRole: CellColor] = [:]
    /// The person's own keys.
    public var keys = KeyChanges()
    /// What random orders begin with; the same number gives the same orders.
    public var shuffleSeed: UInt64 = 0

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

/// Labels: what they are called, whether they are kept, and which were given earlier.
public struct LabelSettings: Hashable, Sendable {
    /// The names of label 1 and those behind it.
    public var names: [String]
    /// Whether decisions are written down.
    public var isKept: Bool
    /// By the pictures' URLs, without a login.
    public var given: [String: UInt8]

    /// What a person should know of the file that has them, on one line.
    public var remark: String?

    /// As many as there are digits for.
    public static let maximumCount = 9

    /// What a label is called; nil if it has no name.
    func name(_ label: UInt8) -> String? {
        names.indices.contains(Int(label) - 1) ? names[Int(label) - 1] : nil
    }

    /// Makes settings; by default the names keep, maybe and reject, and nothing is kept.
    public init(
        names: [String] = ["keep", "maybe", "reject"],
        isKept: Bool = false,
        given: [String: UInt8] = [:]
    ) {
        self.names = Array(names.prefix(Self.maximumCount))
        self.isKept = isKept
        self.given = given
    }
}

/// A configuration that is read again.
extension GalleryState {
    /// Takes what can change while the gallery is open: keys, theme, colours, the size of tiles.
    mutating func take(_ settings: GallerySettings) -> [Effect] {
        // What was chosen by hand since stays, unless the configuration chooses anew.
        if settings.tileWidth != givenTileWidth { self.settings.tileWidth = settings.tileWidth }
        givenTileWidth = settings.tileWidth
        self.settings.theme = settings.theme
        self.settings.colors = settings.colors
        self.settings.keys = settings.keys
        keys = KeyTables(settings.keys)
        return take(capabilities) + settle()
    }
}

extension GallerySettings {
    /// What a terminal shows, in the person's colours.
    func dressed(_ capabilities: ScreenCapabilities) -> ScreenCapabilities {
        var capabilities = capabilities
        if let theme { capabilities.theme = theme }
        capabilities.colors = colors
        return capabilities
    }
}
