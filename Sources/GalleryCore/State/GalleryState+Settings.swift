import TerminalUI

/// A method that applies configuration changes to the gallery.
extension GalleryState {
    /// Applies the settings that can change while the gallery is open: the keys, the theme, the
    /// colors and the tile width.
    mutating func take(_ settings: GallerySettings) -> [Effect] {
        // A tile width that the user has set with a key remains until the configured width changes.
        if settings.tileWidth != self.settings.tileWidth { grid.tileWidth = settings.tileWidth }
        self.settings.tileWidth = settings.tileWidth
        self.settings.theme = settings.theme
        self.settings.colors = settings.colors
        self.settings.keys = settings.keys
        keys = KeyTables(settings.keys)
        return take(capabilities) + settle()
    }
}
