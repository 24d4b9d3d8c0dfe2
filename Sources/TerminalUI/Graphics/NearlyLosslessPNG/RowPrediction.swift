/// The predictions of a sample made by the PNG filters (PNG specification, 9.2).
///
/// They are based on the samples to the left, above, and above left.
enum RowPrediction {
    @inline(__always)
    static func left<Sample: SignedInteger>(_ left: Sample, _: Sample, _: Sample) -> Sample { left }

    @inline(__always)
    static func above<Sample: SignedInteger>(_: Sample, _ above: Sample, _: Sample) -> Sample {
        above
    }

    @inline(__always)
    static func average<Sample: SignedInteger & FixedWidthInteger>(
        _ left: Sample,
        _ above: Sample,
        _: Sample
    ) -> Sample {
        (left &+ above) &>> 1
    }

    /// Returns whichever of the three samples is closest to left + above - corner.
    @inline(__always)
    static func paeth<Sample: SignedInteger & FixedWidthInteger>(
        _ left: Sample,
        _ above: Sample,
        _ corner: Sample
    ) -> Sample {
        // The code avoids branches and `abs`, which traps, to let the compiler vectorize it.
        let (fromAbove, fromLeft) = (above &- corner, left &- corner)
        let sum = fromAbove &+ fromLeft
        let toLeft = max(fromAbove, 0 &- fromAbove)
        let toAbove = max(fromLeft, 0 &- fromLeft)
        let toCorner = max(sum, 0 &- sum)
        let other = toAbove <= toCorner ? above : corner
        return toLeft <= min(toAbove, toCorner) ? left : other
    }
}
