/// An image file format with its names, file suffixes and media types.
///
/// A decoder defines its own format as a static member:
///
///     extension ImageFormat {
///         nonisolated static let farbfeld = ImageFormat(
///             rawValue: "farbfeld",
///             displayName: "farbfeld",
///             fileSuffixes: ["ff"],
///             mediaTypes: ["image/x-farbfeld"]
///         )
///     }
///
/// Create each format only once, because its memory is never freed. In return, copying a format
/// needs no reference counting, which would be slow: every hit in a memory cache copies a format,
/// on many threads at once.
public struct ImageFormat: Hashable, Sendable, CustomStringConvertible {
    private final class Traits: Sendable {
        let rawValue: String
        let displayName: String
        let fileSuffixes: [String]
        let mediaTypes: [String]

        init(rawValue: String, displayName: String, fileSuffixes: [String], mediaTypes: [String]) {
            self.rawValue = rawValue
            self.displayName = displayName
            self.fileSuffixes = fileSuffixes
            self.mediaTypes = mediaTypes
        }
    }

    /// The names of the format; the object is retained once and never released.
    private let reference: Unmanaged<Traits>

    /// Creates a format; its memory is never freed.
    ///
    /// Suffixes must be lowercase and have no dot. The first suffix and the first media type are
    /// the preferred ones.
    public init(
        rawValue: String,
        displayName: String,
        fileSuffixes: [String],
        mediaTypes: [String]
    ) {
        reference = .passRetained(
            Traits(
                rawValue: rawValue,
                displayName: displayName,
                fileSuffixes: fileSuffixes,
                mediaTypes: mediaTypes
            )
        )
    }

    private var traits: Traits { reference.takeUnretainedValue() }

    /// The identifier of the format, such as "jpeg"; formats with the same value are equal.
    public var rawValue: String { traits.rawValue }

    /// The display name, such as "JPEG".
    public var displayName: String { traits.displayName }

    /// The file name suffixes, such as "jpg".
    public var fileSuffixes: [String] { traits.fileSuffixes }

    /// The media types that servers send, such as "image/jpeg".
    public var mediaTypes: [String] { traits.mediaTypes }

    /// The display name.
    public var description: String { displayName }

    /// Compares the raw values.
    public static func == (one: ImageFormat, other: ImageFormat) -> Bool {
        one.reference.toOpaque() == other.reference.toOpaque() || one.rawValue == other.rawValue
    }

    /// Hashes the raw value.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}
