/// The way in which the gallery reports images to the program that started it.
package enum Picking: Hashable, Sendable {
    /// Images are not reported.
    case nothing
    /// Enter reports the marked images, or the selected image; any other way to quit reports no
    /// images.
    case onEnter
    /// Quitting reports the marked images.
    case markedAtEnd
}
