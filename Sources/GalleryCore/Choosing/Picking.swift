/// How the gallery reports images to the program that started it.
package enum Picking: Hashable, Sendable {
    /// No images are reported.
    case nothing
    /// Enter reports the marked images, or the selected image if no images are marked.
    ///
    /// If the user quits in any other way, no images are reported.
    case onEnter
    /// The marked images are reported when the user quits.
    case markedAtEnd
}
