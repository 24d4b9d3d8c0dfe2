internal import Decoders

/// The structural similarity (SSIM) of two images.
///
/// Z. Wang et al., "Image quality assessment: From error visibility to structural similarity"
/// (2004), with the constants of the paper: a Gaussian window of 11 × 11 pixels with a standard
/// deviation of 1.5, K₁ = 0.01, K₂ = 0.03. The result is the mean over red, green and blue. Only
/// windows inside the image count, so pixels beyond its edges need no definition. scikit-image returns
/// the same values, if its `structural_similarity` has the options for the method of the paper.
enum StructuralSimilarity {
    /// The number of pixels from the center of the window to its edge.
    static let radius = 5
    private static let windowSide = 2 * radius + 1

    /// Returns whether an image contains at least one window.
    static func isDefined(for size: PixelSize) -> Bool {
        min(size.width, size.height) >= windowSide
    }

    /// Returns the mean similarity of two images, at most 1.
    ///
    /// The images are divided into tiles, so the memory is independent of their size, and equal
    /// parts of the images take no time.
    static func mean(_ pair: PixelPair) -> Double {
        let (width, height) = (pair.size.width, pair.size.height)
        let tile = SimilarityTile()
        var sum = 0.0
        for top in stride(from: 0, to: height - 2 * radius, by: SimilarityTile.height) {
            for left in stride(from: 0, to: width - 2 * radius, by: SimilarityTile.width) {
                let area = PixelRect(
                    x: left,
                    y: top,
                    width: min(SimilarityTile.width, width - 2 * radius - left) + 2 * radius,
                    height: min(SimilarityTile.height, height - 2 * radius - top) + 2 * radius
                )
                sum += tile.meanSum(pair, in: area)
            }
        }
        return sum / Double((width - 2 * radius) * (height - 2 * radius))
    }
}
