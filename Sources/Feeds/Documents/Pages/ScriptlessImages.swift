/// Detects images that a page repeats for browsers without scripts.
///
/// Pages that load images lazily repeat each image in a `noscript` element that follows it.
struct ScriptlessImages {
    /// The number of open `noscript` elements.
    private var depth = 0
    /// Whether an image has been shown without any text after it.
    private var isAfterImage = false

    /// Whether the next image is the `noscript` version of the last image.
    var replacesLast: Bool { depth > 0 && isAfterImage }

    mutating func start() { depth += 1 }

    mutating func end() { (depth, isAfterImage) = (max(0, depth - 1), false) }

    mutating func noteImage() { isAfterImage = true }

    mutating func noteText() { isAfterImage = false }
}
