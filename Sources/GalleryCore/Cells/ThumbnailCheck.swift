package import Decoders
internal import Feeds

/// Compares an image with the thumbnail embedded in its file.
///
/// Some programs edit an image but keep its old thumbnail.
package enum ThumbnailCheck {
    /// The number of compared squares along each side of an image.
    private static let squareCount = 8
    /// The number of sampled points along each side of a square.
    private static let pointCount = 8
    /// The maximum mean difference between the squares of the two images, in levels from 0 to 255.
    ///
    /// A different crop or different colors cause a difference of 30 or more. The stronger
    /// compression of a thumbnail causes a difference of at most 8.
    private static let tolerance = 20

    /// Returns whether both images show the same scene.
    ///
    /// The check takes less than a millisecond for images of any size.
    package static func isTrue(_ thumbnail: PixelBuffer, of picture: PixelBuffer) -> Bool {
        guard !thumbnail.size.isEmpty, !picture.size.isEmpty else { return true }
        let differences = zip(levels(of: thumbnail), levels(of: picture)).map { abs($0 - $1) }
        return differences.reduce(0, +) <= tolerance * differences.count
    }

    /// Returns the mean red, green and blue values of each square.
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
