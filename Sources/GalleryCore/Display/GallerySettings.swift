package import TerminalUI

/// The settings from the command line and the configuration.
package struct GallerySettings: Hashable, Sendable {
    /// The width of tiles in columns, or nil for an automatic width.
    package var tileWidth: Int?
    /// How the images of the grid fill their tiles.
    package var tileStyle = TileStyle.whole
    /// Whether the gallery scrolls automatically from the start.
    package var scrollsByItself: Bool
    /// The interval between two rows of automatic scrolling, in ticks of 100 ms.
    package var ticksPerRow: Int
    /// Whether images are prefetched before they become visible.
    package var prefetches: Bool
    /// How long a slideshow displays each image, or nil for no slideshow.
    package var slideshow: Duration?
    /// The names of the labels, and the labels that were set earlier.
    package var labeling = LabelSettings()
    /// How images are reported to the program that started the gallery.
    package var picking = Picking.nothing
    /// The theme, or nil for the theme in the terminal capabilities.
    package var theme: ThemeChoice?
    /// The user's own colors.
    package var colors: [ColorRole: CellColor] = [:]
    /// The user's own keys.
    package var keys = KeyChanges()
    /// The settings for load cancellation and for the lanes that show transfers.
    package var lanes = LaneSettings()
    /// The initial seed of random orders.
    ///
    /// The same seed produces the same orders.
    package var shuffleSeed: UInt64 = 0

    /// Creates settings.
    ///
    /// By default, the tile width is automatic, the gallery does not scroll automatically,
    /// automatic scrolling takes 0.8 s per row, and images are prefetched.
    package init(
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

/// The names of the labels, and the labels that were set earlier.
package struct LabelSettings: Hashable, Sendable {
    /// The names of the labels, starting with label 1.
    package var names: [String]
    /// Whether changes to labels are saved.
    package var isKept: Bool
    /// The labels that were set earlier, keyed by image URL without user name and password.
    package var given: [String: UInt8]

    /// A one-line remark about the label file.
    package var remark: String?

    /// The maximum number of labels.
    ///
    /// Each label needs a digit from 1 to 9.
    package static let maximumCount = 9

    /// Returns the name of a label, or nil if the label has no name.
    func name(_ label: UInt8) -> String? {
        names.indices.contains(Int(label) - 1) ? names[Int(label) - 1] : nil
    }

    /// Creates settings.
    ///
    /// By default, the names are keep, maybe and reject, and labels are not saved.
    package init(
        names: [String] = ["keep", "maybe", "reject"],
        isKept: Bool = false,
        given: [String: UInt8] = [:]
    ) {
        self.names = Array(names.prefix(Self.maximumCount))
        self.isKept = isKept
        self.given = given
    }
}

extension GallerySettings {
    /// Returns a copy of the terminal capabilities with the user's theme and colors.
    func dressed(_ capabilities: ScreenCapabilities) -> ScreenCapabilities {
        var capabilities = capabilities
        if let theme { capabilities.theme = theme }
        capabilities.colors = colors
        return capabilities
    }
}
