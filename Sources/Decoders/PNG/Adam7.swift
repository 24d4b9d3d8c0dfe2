/// The passes of an interlaced PNG (PNG, section 8.2) that are needed for a small result.
struct Adam7 {
    /// The pixels of a pass, and the block that each of them fills until later passes are read.
    struct Pass {
        let column: Int
        let row: Int
        let columnStep: Int
        let rowStep: Int
        let blockWidth: Int
        let blockHeight: Int
    }

    /// All passes in file order.
    static let passes = [
        Pass(column: 0, row: 0, columnStep: 8, rowStep: 8, blockWidth: 8, blockHeight: 8),
        Pass(column: 4, row: 0, columnStep: 8, rowStep: 8, blockWidth: 4, blockHeight: 8),
        Pass(column: 0, row: 4, columnStep: 4, rowStep: 8, blockWidth: 4, blockHeight: 4),
        Pass(column: 2, row: 0, columnStep: 4, rowStep: 4, blockWidth: 2, blockHeight: 4),
        Pass(column: 0, row: 2, columnStep: 2, rowStep: 4, blockWidth: 2, blockHeight: 2),
        Pass(column: 1, row: 0, columnStep: 2, rowStep: 2, blockWidth: 1, blockHeight: 2),
        Pass(column: 0, row: 1, columnStep: 1, rowStep: 2, blockWidth: 1, blockHeight: 1),
    ]

    /// The minimum pixel count of images from which only the first passes are read.
    ///
    /// In smaller images, skipping passes saves little time, and the mean of all pixels looks
    /// better.
    private static let minimumPixelCount = 100_000

    /// The minimum number of samples per target pixel in each direction.
    private static let samplesPerPixel = 2

    /// The maximum mean squared error of target pixels, in squared levels, as estimated by
    /// `squaredError`.
    ///
    /// The pixels of a pass are single image pixels instead of means, which is visible at hard
    /// edges: the quality of text thumbnails drops to 16 dB. The limit was tested with 14
    /// photographs and 14 images of text, lines and squares, each at four sizes. All results that
    /// the estimate accepts have a quality of more than 30 dB relative to the mean of all pixels.
    /// At 60 pixels per side, nine of ten photographs are accepted.
    private static let maximumSquaredError = 10.0

    /// The number of passes to read: 3 or 5.
    let passCount: Int
    /// The distance between the pixels of these passes, in image pixels: 4 or 2.
    let step: Int
    /// The number of columns and rows of pixels in these passes.
    let gridSize: PixelSize

    /// Selects the smallest number of passes above `least` that may be enough for a result of size
    /// `target`.
    ///
    /// Returns nil if all passes are needed. After the passes are read, call `isSufficient` to
    /// check the pixels. Only 3 or 5 passes are used, because after most other numbers of passes,
    /// the horizontal and vertical pixel densities differ. Reading only the first pass would save
    /// just a few percent of the file.
    init?(of size: PixelSize, for target: PixelSize, moreThan least: Int = 0) {
        guard size.pixelCount >= Self.minimumPixelCount else { return nil }
        for (passCount, step) in [(3, 4), (5, 2)]
        where passCount > least
            && size.width / step >= target.width.saturatingMultiply(by: Self.samplesPerPixel)
            && size.height / step >= target.height.saturatingMultiply(by: Self.samplesPerPixel)
        {
            self.passCount = passCount
            self.step = step
            gridSize = PixelSize(
                width: (size.width + step - 1) / step,
                height: (size.height + step - 1) / step
            )
            return
        }
        return nil
    }

    /// Returns whether the pixels in `grid` are enough for a result of size `target` that is nearly
    /// as good as with all passes.
    func isSufficient(_ grid: UnsafeMutableBufferPointer<UInt32>, for target: PixelSize) -> Bool {
        squaredError(grid, for: target) <= Self.maximumSquaredError
    }

    /// Returns the estimated mean squared error of a target pixel.
    ///
    /// The error is the difference between two means: the mean of the samples in the target pixel,
    /// and the mean of all image pixels that the target pixel covers.
    ///
    /// The estimate is the variance of the samples divided by their number, as if the samples were
    /// drawn at random. The variance is calculated as a sixth of the mean square of the second
    /// differences. These differences are zero on a slope, where the mean of the samples is exact.
    private func squaredError(
        _ grid: UnsafeMutableBufferPointer<UInt32>,
        for target: PixelSize
    ) -> Double {
        let (width, height) = (gridSize.width, gridSize.height)
        guard width > 2, height > 2 else { return .infinity }
        var sum = 0
        for row in 1..<(height - 1) {
            for column in 1..<(width - 1) {
                let place = row * width + column
                let middle = Self.channels(grid[place]) &* 2
                let across =
                    Self.channels(grid[place - 1]) &+ Self.channels(grid[place + 1]) &- middle
                let down =
                    Self.channels(grid[place - width]) &+ Self.channels(grid[place + width])
                    &- middle
                sum &+= Int((across &* across &+ down &* down).wrappedSum())
            }
        }
        let count = (width - 2) * (height - 2) * 2 * 3
        let samplesPerTarget = Double(gridSize.pixelCount) / Double(max(1, target.pixelCount))
        return Double(sum) / Double(count) / 6 / samplesPerTarget
    }

    /// Returns the red, green, blue and alpha values of a pixel.
    @inline(__always)
    private static func channels(_ pixel: UInt32) -> SIMD4<Int32> {
        SIMD4<Int32>(truncatingIfNeeded: unsafeBitCast(pixel, to: SIMD4<UInt8>.self))
    }

    /// Copies one row of a pass to the grid.
    ///
    /// In `pixels`, the pixels of the row have no gaps. In the grid, each pixel fills the block
    /// that it represents in its pass.
    func spread(
        _ pixels: UnsafeBufferPointer<UInt32>,
        row: Int,
        of pass: Pass,
        into grid: UnsafeMutableBufferPointer<UInt32>
    ) {
        let top = (pass.row + row * pass.rowStep) / step
        let bottom = min(gridSize.height, top + pass.blockHeight / step)
        for y in top..<bottom {
            var column = pass.column / step
            for pixel in pixels {
                let right = min(gridSize.width, column + pass.blockWidth / step)
                for x in column..<right { grid[y * gridSize.width + x] = pixel }
                column += pass.columnStep / step
            }
        }
    }
}

extension Adam7.Pass {
    /// Returns the size of the pass in an image of `size`.
    ///
    /// If the pass is empty, the file does not contain it.
    func size(in size: PixelSize) -> PixelSize {
        PixelSize(
            width: (size.width - column + columnStep - 1) / columnStep,
            height: (size.height - row + rowStep - 1) / rowStep
        )
    }
}
