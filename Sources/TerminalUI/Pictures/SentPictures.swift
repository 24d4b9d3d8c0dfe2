/// Statistics about the images sent to the terminal as pixels.
package struct SentPictures: Equatable, Sendable {
    /// The number of images in the terminal, including stored images that are not visible.
    package var count = 0
    /// The number of bytes sent for images so far.
    package var bytesSent = 0

    package init() {}
}
