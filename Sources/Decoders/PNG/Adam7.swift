/// The passes of an interlaced PNG (section 8.2), and how many of them a small result needs.
struct Adam7 {
    /// One pass: which pixels it has, and the block that each stands for until later passes come.
    struct Pass {
        let column: Int
        let row: Int
        let columnStep: Int
        let rowStep: Int
        let blockWidth: Int
        let blockHeight: Int
    }

    /// All passes, in the order of the file.
    static let passes = [
        Pass(column: 0, row: 0, columnStep: 8, rowStep: 8, blockWidth: 8, blockHeight: 8),
        Pass(column: 4, row: 0, columnStep: 8, rowStep: 8, blockWidth: 4, blockHeight: 8),
        Pass(column: 0, row: 4, columnStep: 4, rowStep: 8, blockWidth: 4, blockHeight: 4),
        Pass(column: 2, row: 0, columnStep: 4, rowStep: 4, blockWidth: 2, blockHeight: 4),
        Pass(column: 0, row: 2, columnStep: 2, rowStep: 4, blockWidth: 2, blockHeight: 2),
        Pass(column: 1, row: 0, columnStep: 2, rowStep: 2, blockWidth: 1, blockHeight: 2),
        Pass(column: 0, row: 1, columnStep: 1, rowStep: 2, blockWidth: 1, blockHeight: 1),
    ]

    /// Below this many pixels all passes are read: little is saved, and the mean of all pixels is
    /// the better picture.
    private static let minimumPixelCount = 100_000

    /// Samples a side of a target pixel, at least.
    private static let samplesPerPixel = 2

    /// What a target pixel may be off by, in squared levels on average, as `squaredError` guesses.
    ///
    /// Passes pick pixels instead of taking means, which shows on hard edges: of text at this size
    /// thumbnails fall to 16 dB. Of 14 photographs and 14 pictures of text, lines and squares, each at
    /// four sizes, all that the guess lets pass are nearer than 30 dB to the mean of all pixels, and of
    /// the photographs at 60 pixels a side nine in ten pass.
    private static let maximumSquaredError = 10.0

    /// How many passes are read: 3 or 5.
    let passCount: Int
    /// From one pixel of the grid that these passes fill to the next: 4 or 2.
    let step: Int
    /// The size of that grid.
    let gridSize: PixelSize

    /// The fewest passes, more than `least`, that may be enough for a result of `target` pixels; nil if
    /// all are needed.
    ///
    /// Whether they are enough, the pixels tell (`isSufficient`). After the others the grid has more columns than rows. The first alone would save a few percent
    /// of the file.
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

    /// Whether the passes whose pixels fill `grid` show what the whole picture would, at `target` pixels.
    func isSufficient(_ grid: UnsafeMutableBufferPointer<UInt32>, for target: PixelSize) -> Bool {
        squaredError(grid, for: target) <= Self.maximumSquaredError
    }

    /// What the mean of the samples of a target pixel is off by from the mean of all its pixels, squared.
    ///
    /// The variance of the samples over their number, as if they were drawn at random; the variance is a
    /// sixth of the mean square of second differences, which are zero on a slope, where the samples'
    /// mean is exact.
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

    /// Red, green, blue and alpha.
    @inline(__always)
    private static func channels(_ pixel: UInt32) -> SIMD4<Int32> {
        SIMD4<Int32>(truncatingIfNeeded: unsafeBitCast(pixel, to: SIMD4<UInt8>.self))
    }

    /// Puts a row of a pass, one pixel after the other, where it belongs in the grid.
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
    /// The pixels of the pass in a picture of `size`; an empty pass is not in the file.
    func size(in size: PixelSize) -> PixelSize {
        PixelSize(
            width: (size.width - column + columnStep - 1) / columnStep,
            height: (size.height - row + rowStep - 1) / rowStep
        )
    }
}
