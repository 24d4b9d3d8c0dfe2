/// The positions of the samples that a resampler receives.
struct Sampling {
    /// The size of the image in pixels.
    let source: PixelSize
    /// The distance between samples in each direction, in pixels.
    let step: Int
    /// Whether a sample is the upper left pixel of its block instead of the block's mean.
    ///
    /// If true, a sample represents the pixels around it. Using it as the mean of the block would
    /// shift the image by nearly half a step, which would reduce the quality of interlaced PNG
    /// thumbnails by 7 dB.
    let isPoint: Bool

    init(source: PixelSize, step: Int, isPoint: Bool = false) {
        precondition(step > 0, "no step")
        self.source = source
        self.step = step
        self.isPoint = isPoint
    }

    /// Returns the axis along a side of `length` pixels.
    func axis(of length: Int, cellCount: Int) -> ResamplingAxis {
        guard isPoint, step > 1 else {
            return ResamplingAxis(length: length, step: step, cellCount: cellCount)
        }
        // Lengths are in half pixels, so a pixel can be at the center of the area that it
        // represents.
        return ResamplingAxis(
            length: length * 2,
            step: step * 2,
            cellCount: cellCount,
            lead: step - 1
        )
    }
}

/// An axis along which samples are assigned to target pixels ("cells") with exact integer weights.
///
/// `length` pixels are divided into `cellCount` equal cells. The unit is 1/`cellCount` of a pixel,
/// so every border is an integer: a cell is `length` units wide, and a sample is `step * cellCount`
/// units wide. `step` is the number of pixels per sample. It is greater than 1 if a codec has
/// already reduced the image; the last sample may then represent fewer pixels. If a sample crosses
/// a cell border, it contributes to both cells in proportion to its parts.
struct ResamplingAxis {
    /// The samples that overlap a target pixel, and their weights.
    struct Span {
        /// The index of the first sample that overlaps the target pixel.
        let first: Int
        /// The index of the last sample that overlaps the target pixel.
        ///
        /// If a single sample covers the target pixel, this value equals `first`.
        let last: Int
        /// The length of the overlap between the first sample and the target pixel, in units of
        /// 1/`cellCount` pixel.
        let firstWeight: UInt64
        /// The length of the overlap between the last sample and the target pixel, in units of
        /// 1/`cellCount` pixel.
        ///
        /// If `last` equals `first`, the length is 0, because `firstWeight` already includes the
        /// sample.
        let lastWeight: UInt64
    }

    let length: Int
    let step: Int
    let cellCount: Int
    /// The number of pixels by which the first sample is narrower than `step`.
    ///
    /// The last sample represents the remaining pixels.
    let lead: Int

    init(length: Int, step: Int, cellCount: Int, lead: Int = 0) {
        self.length = length
        self.step = step
        self.cellCount = cellCount
        self.lead = lead
    }

    /// The width of a full sample, in units of 1/`cellCount` pixel.
    ///
    /// A sample has this weight if it is entirely in one target pixel.
    var sampleWeight: Int { step * cellCount }

    var sampleCount: Int { (length + step - 1) / step }

    /// The length of the axis in units of 1/`cellCount` pixel.
    var unitCount: Int { length * cellCount }

    /// Returns the position at which the sample at `index` ends, in units of 1/`cellCount` pixel.
    func end(ofSample index: Int) -> Int {
        index >= sampleCount - 1
            ? unitCount : (index + 1) * sampleWeight - lead * cellCount
    }

    /// Returns the number of consecutive samples, starting at `index`, that have the full weight
    /// and end in the same target pixel ("cell").
    ///
    /// `position` is the start of the sample at `index`.
    func evenSampleCount(from index: Int, at position: Int) -> Int {
        let cellEnd = (position / length + 1) * length
        let count = (cellEnd - position) / sampleWeight
        guard lead > 0 else { return count }
        return index == 0 ? 0 : min(count, sampleCount - 1 - index)
    }

    /// Returns the samples that overlap the target pixel at `index`.
    func span(of index: Int) -> Span {
        let start = index * length + lead * cellCount
        let end = start + length
        let first = min(start / sampleWeight, sampleCount - 1)
        let last = min((end - 1) / sampleWeight, sampleCount - 1)
        guard last > first else {
            return Span(first: first, last: first, firstWeight: UInt64(length), lastWeight: 0)
        }
        return Span(
            first: first,
            last: last,
            firstWeight: UInt64((first + 1) * sampleWeight - start),
            lastWeight: UInt64(end - last * sampleWeight)
        )
    }
}
