/// What the samples that go into a resampler stand for.
struct Sampling {
    /// The size of the picture in pixels.
    let source: PixelSize
    /// The pixels each way from one sample to the next.
    let step: Int
    /// Whether a sample is the pixel at the upper left of its block, not the mean of the block.
    ///
    /// It then stands for the pixels around it: taken for the block's mean, the picture would move
    /// by nearly half a step, which costs thumbnails of interlaced PNGs 7 dB.
    let isPoint: Bool

    init(source: PixelSize, step: Int, isPoint: Bool = false) {
        precondition(step > 0, "no step")
        self.source = source
        self.step = step
        self.isPoint = isPoint
    }

    /// How the samples along a side of `length` pixels fall into cells.
    func axis(of length: Int, cellCount: Int) -> ResamplingAxis {
        guard isPoint, step > 1 else {
            return ResamplingAxis(length: length, step: step, cellCount: cellCount)
        }
        // In half pixels: the middle of a pixel is the middle of what it stands for.
        return ResamplingAxis(
            length: length * 2,
            step: step * 2,
            cellCount: cellCount,
            lead: step - 1
        )
    }
}

/// How samples along one axis fall into cells, in exact integers.
///
/// `length` pixels are divided into `cellCount` equal cells. The unit is 1/`cellCount` of a pixel,
/// so that every border is whole: a cell is `length` units wide, a sample `step * cellCount`
/// (`step` pixels went into each sample when a codec has reduced the picture already; the last
/// sample may stand for fewer). A sample on a border belongs to both cells by its share.
struct ResamplingAxis {
    /// What one cell takes from the samples.
    struct Span {
        /// The first sample that reaches into the cell.
        let first: Int
        /// The last one; equal to `first` when one sample covers the cell.
        let last: Int
        /// The units of `first` inside the cell.
        let firstWeight: UInt64
        /// The units of `last` inside the cell; 0 when it is `first`.
        let lastWeight: UInt64
    }

    let length: Int
    let step: Int
    let cellCount: Int
    /// By how many pixels the first sample stands for less than `step`; the last one then stands for
    /// whatever is left.
    let lead: Int

    init(length: Int, step: Int, cellCount: Int, lead: Int = 0) {
        self.length = length
        self.step = step
        self.cellCount = cellCount
        self.lead = lead
    }

    /// The units of a sample that lies in one cell entirely.
    var sampleWeight: Int { step * cellCount }

    /// The number of samples.
    var sampleCount: Int { (length + step - 1) / step }

    /// The units from the start of the axis to its end.
    var unitCount: Int { length * cellCount }

    /// Where the sample at `index` ends, in units.
    func end(ofSample index: Int) -> Int {
        index >= sampleCount - 1
            ? unitCount : (index + 1) * sampleWeight - lead * cellCount
    }

    /// How many samples from `index` on, which starts at `position`, have the usual weight and end
    /// in the same cell.
    func evenSampleCount(from index: Int, at position: Int) -> Int {
        let cellEnd = (position / length + 1) * length
        let count = (cellEnd - position) / sampleWeight
        guard lead > 0 else { return count }
        return index == 0 ? 0 : min(count, sampleCount - 1 - index)
    }

    /// What the cell at `index` takes.
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
