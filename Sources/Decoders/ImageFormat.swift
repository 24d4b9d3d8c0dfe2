/// A format of image files: what it is called, and how its files are named and announced.
///
/// A decoder brings its own, as a static member:
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
/// A format lives as long as the process, so make it once. That is why copying one counts no
/// reference: every hit of a memory cache copies an image's format, on many threads at once.
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

    /// Retained once, released never.
    private let reference: Unmanaged<Traits>

    /// Makes a format; its memory is never freed.
    ///
    /// Suffixes are without the dot, in lower case; the usual suffix and media type come first.
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

    /// What tells the format from all others, "jpeg": formats of the same value are the same.
    public var rawValue: String { traits.rawValue }

    /// The name for people, "JPEG".
    public var displayName: String { traits.displayName }

    /// What the names of such files end with, "jpg".
    public var fileSuffixes: [String] { traits.fileSuffixes }

    /// What servers call such files, "image/jpeg".
    public var mediaTypes: [String] { traits.mediaTypes }

    /// The name for people.
    public var description: String { displayName }

    /// Compares the raw values.
    public static func == (one: ImageFormat, other: ImageFormat) -> Bool {
        one.reference.toOpaque() == other.reference.toOpaque() || one.rawValue == other.rawValue
    }

    /// Hashes the raw value.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}
