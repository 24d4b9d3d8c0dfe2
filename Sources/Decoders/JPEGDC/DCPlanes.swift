/// The coded DC values of an image, one value for each block of each component.
struct DCPlanes {
    /// The part of `values` for one component.
    struct Plane: Equatable {
        let start: Int
        /// The number of values per row, including blocks outside the visible image.
        let stride: Int
        let count: Int
        /// The shifts that convert a column and a row of the image's 8 × 8 blocks to a column and a
        /// row of this plane.
        let columnShift: Int
        let rowShift: Int
    }

    var values: [Int16]
    let planes: [Plane]
    /// The size of the image in blocks of 8 × 8 pixels.
    let size: PixelSize

    init(frame: JPEGFrame) {
        let (columns, rows) = frame.mcuCount
        var start = 0
        planes = frame.components.map { component in
            let stride = columns * component.horizontal
            let plane = Plane(
                start: start,
                stride: stride,
                count: stride * rows * component.vertical,
                columnShift: (frame.horizontal / component.horizontal).trailingZeroBitCount,
                rowShift: (frame.vertical / component.vertical).trailingZeroBitCount
            )
            start += plane.count
            return plane
        }
        values = [Int16](repeating: 0, count: start)
        size = PixelSize(width: (frame.size.width + 7) / 8, height: (frame.size.height + 7) / 8)
    }

    /// Returns the number of bytes of memory needed for the DC values of `frame` and for the
    /// samples calculated from them.
    static func byteCount(_ frame: JPEGFrame) -> Int {
        let (columns, rows) = frame.mcuCount
        return frame.components.reduce(0) {
            $0 + columns * rows * $1.horizontal * $1.vertical
                * (MemoryLayout<Int16>.size + MemoryLayout<UInt8>.size)
        }
    }
}

/// The parameters for converting the DC values of a component to samples.
struct DCScale: Equatable {
    /// The quantizers of the component.
    ///
    /// A DC value times the quantizer of the mean is eight times the sample.
    var quantizer = JPEGQuantizer(mean: 0, lowFrequencies: 0)
    /// The number of low bits that are missing from the DC values.
    var missingBitCount = 0
    /// Whether a value of 0 is likely to remain 0 when the missing bits are received.
    ///
    /// True for chroma, because replacing the missing bits with their mean would add a tint to an
    /// image without colors.
    var isZeroLikely = false

    /// Returns the same samples as libjpeg's 1x1 inverse DCT, or nil if a sample is out of range.
    ///
    /// libjpeg would wrap such a sample around. Missing bits are replaced by their mean: for `n`
    /// bits, half of 2ⁿ - 1. Values halfway between two levels are alternately rounded up and down,
    /// so the entire image has the correct brightness.
    func samples(of values: ArraySlice<Int16>) -> [UInt8]? {
        // Both values are in sixteenths of a sample level.
        let factor = Int32(truncatingIfNeeded: quantizer.mean << (missingBitCount + 1))
        let missing = Int32(truncatingIfNeeded: quantizer.mean * ((1 << missingBitCount) - 1))
        let missingOfZero = isZeroLikely ? 0 : missing
        let turn: Int32 = missingBitCount > 0 ? 1 : 0
        var excess: Int32 = 0
        let samples = [UInt8](unsafeUninitializedCapacity: values.count) { samples, count in
            values.withUnsafeBufferPointer { values in
                for index in values.indices {
                    let value = Int32(values[index])
                    let rounding = 8 &- (Int32(truncatingIfNeeded: index) & turn)
                    let added = (value == 0 ? missingOfZero : missing) &+ rounding
                    let sample = (value &* factor &+ added) &>> 4
                    excess |= (sample &+ 512) & ~1023
                    samples[index] = UInt8(truncatingIfNeeded: max(0, min(255, sample &+ 128)))
                }
            }
            count = values.count
        }
        return excess == 0 ? samples : nil
    }
}

/// An image that is converted from DC values to R, G, B, 255 row by row.
///
/// If a component is subsampled, its samples are repeated. The YCbCr conversion is bit-identical to
/// that of libjpeg at scale 1/8.
struct DCImage {
    /// The size in pixels: one pixel for 8 × 8 pixels of the full image.
    let size: PixelSize
    private let planes: [DCPlanes.Plane]
    private let samples: [UInt8]
    private let isRGB: Bool

    /// Creates an image from DC values; returns nil if a sample is out of range.
    ///
    /// `scales` contains one scale per component.
    init?(_ values: DCPlanes, scales: [DCScale], isRGB: Bool) {
        size = values.size
        planes = values.planes
        self.isRGB = isRGB
        var samples: [UInt8] = []
        samples.reserveCapacity(values.values.count)
        for (plane, scale) in zip(planes, scales) {
            let end = plane.start + plane.count
            guard let part = scale.samples(of: values.values[plane.start..<end]) else { return nil }
            samples += part
        }
        self.samples = samples
    }

    /// Converts rows, starting at row `first`, until `strip` is full or the image ends, and returns
    /// the number of rows.
    func convert(row first: Int, into strip: UnsafeMutableBufferPointer<UInt8>) -> Int {
        let width = size.width
        let count = min(size.height - first, strip.count / max(1, width * 4))
        guard count > 0, let start = strip.baseAddress else { return 0 }
        samples.withUnsafeBufferPointer { samples in
            guard let base = samples.baseAddress else { return }
            for row in 0..<count {
                convert(row: first + row, of: base, into: start + row * width * 4)
            }
        }
        return count
    }

    private func convert(
        row: Int,
        of samples: UnsafePointer<UInt8>,
        into output: UnsafeMutablePointer<UInt8>
    ) {
        let lines = planes.map { plane in
            Line(
                start: samples + plane.start + (row >> plane.rowShift) * plane.stride,
                shift: plane.columnShift
            )
        }
        switch (lines.count, isRGB) {
        case (3, false): convertYCC(lines[0], blue: lines[1], red: lines[2], into: output)
        case (3, true): copy(red: lines[0], green: lines[1], blue: lines[2], into: output)
        default: copy(red: lines[0], green: lines[0], blue: lines[0], into: output)
        }
    }

    /// The samples of a component for one row of the image.
    private struct Line {
        let start: UnsafePointer<UInt8>
        /// The shift that converts a column of the image to a column of this component.
        let shift: Int
    }

    private func copy(
        red: Line,
        green: Line,
        blue: Line,
        into output: UnsafeMutablePointer<UInt8>
    ) {
        var pixel = output
        for column in 0..<size.width {
            pixel[0] = red.start[column &>> red.shift]
            pixel[1] = green.start[column &>> green.shift]
            pixel[2] = blue.start[column &>> blue.shift]
            pixel[3] = 255
            pixel += 4
        }
    }

    /// Converts YCbCr with the JFIF matrix, rounding at the same steps as libjpeg.
    ///
    /// The numbers have 16 fractional bits. The contribution of chroma is calculated once for all
    /// columns that share it.
    private func convertYCC(
        _ luma: Line,
        blue: Line,
        red: Line,
        into output: UnsafeMutablePointer<UInt8>
    ) {
        let half: Int32 = 1 << 15
        let shift = min(blue.shift, red.shift)
        let width = size.width
        var pixel = output
        var column = 0
        while column < width {
            let b = Int32(blue.start[column &>> blue.shift]) &- 128
            let r = Int32(red.start[column &>> red.shift]) &- 128
            let addedRed = (91_881 &* r &+ half) &>> 16
            let addedGreen = (half &- 22_554 &* b &- 46_802 &* r) &>> 16
            let addedBlue = (116_130 &* b &+ half) &>> 16
            let end = min(width, column &+ (1 &<< shift))
            while column < end {
                let y = Int32(luma.start[column &>> luma.shift])
                pixel[0] = UInt8(clamping: y &+ addedRed)
                pixel[1] = UInt8(clamping: y &+ addedGreen)
                pixel[2] = UInt8(clamping: y &+ addedBlue)
                pixel[3] = 255
                pixel += 4
                column &+= 1
            }
        }
    }
}
