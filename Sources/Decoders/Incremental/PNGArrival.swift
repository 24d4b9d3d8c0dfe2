/// What a PNG that arrives needs to be final at a size.
///
/// Where a pass of Adam7 ends can't be seen without inflating, so it is guessed by the share of the
/// bytes that it took in 20 pictures: the first to the seventh pass ended at 2, 4, 8, 15, 28, 54
/// and 100 %.
struct PNGArrival {
    /// The signature and IHDR.
    static let headerByteCount = 33

    /// The passes that the decoder may stop at.
    private static let ends: [(passCount: Int, percent: Int)] = [(3, 8), (5, 28)]

    private let size: PixelSize
    private let isInterlaced: Bool

    /// Nil if IHDR is not where it must be.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.headerByteCount,
            bytes[12..<16].elementsEqual("IHDR".utf8)
        else { return nil }
        let number = { (start: Int) in
            bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        size = PixelSize(width: number(16), height: number(20))
        isInterlaced = bytes[28] == 1
    }

    /// Whether the pass that suffices for `target` may be complete, and a decode would not be one
    /// of many in vain.
    func mayBeFinal(_ beginning: DecodingSchedule.Beginning, for target: ThumbnailTarget) -> Bool {
        guard isInterlaced, let expected = beginning.expected, let percent = percent(for: target)
        else { return false }
        let (least, most) = (expected / 100 * percent, expected / 100 * percent * 3)
        let next = max(least, beginning.decoded + beginning.decoded / 4)
        return next <= beginning.byteCount && beginning.byteCount <= most
    }

    /// Nil if it takes them all.
    private func percent(for target: ThumbnailTarget) -> Int? {
        Self.ends.first { end in
            target.holds(for: size) { wanted in
                Adam7(of: size, for: wanted).map { $0.passCount <= end.passCount } ?? false
            }
        }?.percent
    }
}
