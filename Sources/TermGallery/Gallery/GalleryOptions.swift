import GalleryCore

/// What the gallery is asked to be like.
struct GalleryOptions: Sendable {
    /// What the person chose for the screen.
    var settings = GallerySettings()
    /// What the person chose for the pictures that are not visible yet.
    var ahead = AheadLoader.Mode.memory
}
