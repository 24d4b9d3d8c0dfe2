/// At which fraction of its size libjpeg is to hand a JPEG out.
enum JPEGScale: Int, CaseIterable {
    case eighth = 8
    case quarter = 4
    case half = 2
    case full = 1

    /// The smallest scale that keeps at least two samples per target pixel each way, and one of the
    /// most coarsely sampled component.
    ///
    /// Two, because a DCT-scaled sample averages coded values, not light: with fewer samples that
    /// error shows (45 dB against 57 dB at four times as many). The scales between, 3/8 to 7/8,
    /// cost more than decoding in full: libjpeg-turbo has no SIMD code for them.
    init(from size: PixelSize, to target: PixelSize, coarsestSampling: PixelSize) {
        let width = target.width * max(2, coarsestSampling.width)
        let height = target.height * max(2, coarsestSampling.height)
        self =
            Self.allCases.first { scale in
                size.width / scale.rawValue >= width && size.height / scale.rawValue >= height
            } ?? .full
    }
}
