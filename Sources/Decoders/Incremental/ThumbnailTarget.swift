/// The size that a picture is wanted at, for pictures whose EXIF orientation is not known yet.
struct ThumbnailTarget {
    /// Nil for full size.
    let box: PixelSize?
    let mode: ContentMode

    /// Whether `suffices` holds for the size that is made of a stored picture of `size`, whichever
    /// way it is turned.
    func holds(for size: PixelSize, _ suffices: (PixelSize) -> Bool) -> Bool {
        guard let box, !size.isEmpty, !box.isEmpty else { return false }
        let turned = PixelSize(width: box.height, height: box.width)
        return [box, turned].contains { suffices(size.scaled(into: $0, mode: mode)) }
    }
}
