import Decoders

/// How the images of the grid fill their tiles.
package enum TileStyle: Hashable, Sendable {
    /// All tiles have the same width, and whole images are shown.
    case whole
    /// All tiles have the same width, and images are cropped to fill them.
    case cropped
    /// The tiles of a row are as wide as their images, and whole images are shown.
    case justified

    /// The next style, as the key `F` chooses it.
    var next: TileStyle {
        switch self {
        case .whole: .cropped
        case .cropped: .justified
        case .justified: .whole
        }
    }

    var contentMode: ImageContentMode { self == .cropped ? .fill : .fit }
}
