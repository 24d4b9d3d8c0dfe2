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
