package import Decoders

/// How much two images of the same size differ.
///
/// Colors are compared as they appear on white, because transparent images are mostly shown on
/// light pages. A difference in alpha alone can therefore be invisible, but it still counts as a
/// changed pixel.
package struct ImageComparison: Equatable, Sendable {
    /// The number of pixels whose red, green, blue or alpha differs.
    package let changedPixelCount: Int
    /// The number of pixels of each image.
    package let pixelCount: Int
    /// The mean color difference (CIEDE2000) of all pixels.
    package let meanColorDifference: Double
    /// The 99th percentile of the color differences of all pixels.
    ///
    /// Values between two pixels are interpolated linearly. The error is at most 1/2048.
    package let highColorDifference: Double
    /// The mean structural similarity, at most 1, or nil if a side is shorter than 11 pixels.
    package let structuralSimilarity: Double?

    /// The changed part of the pixels, from 0 to 1.
    package var changedShare: Double {
        pixelCount > 0 ? Double(changedPixelCount) / Double(pixelCount) : 0
    }

    /// Compares two images; both must have the same size.
    ///
    /// The method allocates about 1 MB, regardless of the size of the images.
    package init(_ first: PixelBuffer, _ second: PixelBuffer) {
        precondition(first.size == second.size, "images of different sizes")
        pixelCount = first.size.pixelCount
        let hasSimilarity = StructuralSimilarity.isDefined(for: first.size)
        guard first.bytes != second.bytes else {
            (changedPixelCount, meanColorDifference, highColorDifference) = (0, 0, 0)
            structuralSimilarity = hasSimilarity ? 1 : nil
            return
        }
        let differences = PixelPair.with(first, second, ColorDifferences.init)
        changedPixelCount = differences.changedPixelCount
        meanColorDifference = differences.mean
        highColorDifference = differences.percentile(99)
        structuralSimilarity =
            hasSimilarity ? PixelPair.with(first, second, StructuralSimilarity.mean) : nil
    }
}
