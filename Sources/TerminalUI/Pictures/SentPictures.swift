/// Images in pixels that were sent to the terminal.
package struct SentPictures: Equatable, Sendable {
    /// The number of images in the terminal, including stored ones that are not visible.
    package var count = 0
    /// The number of bytes sent for them since the start.
    package var bytesSent = 0

    /// Creates empty statistics.
    package init() {}
}
