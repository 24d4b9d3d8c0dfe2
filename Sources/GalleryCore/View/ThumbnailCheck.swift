public import Decoders

/// Whether the thumbnail that stood for a picture shows the same: some programs change a picture and
/// leave the thumbnail in its file.
public enum ThumbnailCheck {
    /// Each is looked at in so many squares a side.
    private static let squareCount = 8
    /// Each square is looked at in so many points a side.
    private static let pointCount = 8
    /// By how many levels squares may differ on average: other crops and colours do by 30 and more, a
    /// thumbnail's coarser compression by 8 at most.
    private static let tolerance = 20

    /// Takes less than a millisecond, whatever the size of the picture.
    public static func isTrue(_ thumbnail: PixelBuffer, of picture: PixelBuffer) -> Bool {
        guard !thumbnail.size.isEmpty, !picture.size.isEmpty else { return true }
        let differences = zip(levels(of: thumbnail), levels(of: picture)).map { abs($0 - $1) }
        return differences.reduce(0, +) <= tolerance * differences.count
    }

    /// The mean red, green and blue of each square.
    private static func levels(of image: PixelBuffer) -> [Int] {
        let (width, height) = (image.size.width, image.size.height)
        let count = squareCount * pointCount
        return image.bytes.withUnsafeBufferPointer { bytes in
            var sums = [Int](repeating: 0, count: squareCount * squareCount * 3)
            for row in 0..<count {
                let y = (row * 2 + 1) * height / (count * 2)
                for column in 0..<count {
                    let x = (column * 2 + 1) * width / (count * 2)
                    let square = row / pointCount * squareCount + column / pointCount
                    for channel in 0..<3 {
                        sums[square * 3 + channel] += Int(bytes[(y * width + x) * 4 + channel])
                    }
                }
            }
            return sums.map { $0 / (pointCount * pointCount) }
        }
    }
}

extension GalleryState {
    /// The thumbnail of the picture that is looked at alone, and its item, if its cell shows one that a
    /// camera made.
    public var thumbnailOfDetail: (item: Int, pixels: PixelBuffer)? {
        guard let item = detail?.item, let pixels = pool.slot(ofItem: item)?.thumbnail else {
            return nil
        }
        return (item, pixels)
    }
}
