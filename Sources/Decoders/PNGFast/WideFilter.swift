/// Undoes a row's filter (PNG, 9.2) in place, for RGB and RGBA of 16 bits: four bytes of each pixel,
/// then the others.
///
/// Works on pointers that its caller has checked. Reads four bytes where two are left of a pixel, so
/// two must follow the last row; they are not written.
enum WideFilter {
    private typealias Lanes = SIMD4<Int16>

    /// Filter 1: the difference from the pixel to the left.
    static func undoSub(_ row: SampleFilter.Row) {
        undo(row) { left, _, _ in left }
    }

    /// Filter 3: the difference from the mean of left and above, rounded down.
    static func undoAverage(_ row: SampleFilter.Row) {
        undo(row) { left, above, _ in (left &+ above) &>> 1 }
    }

    /// Filter 4: the difference from the Paeth predictor.
    static func undoPaeth(_ row: SampleFilter.Row) {
        undo(row) { left, above, corner in PaethPredictor.predict(left, above, corner) }
    }

    @inline(__always)
    private static func undo(
        _ row: SampleFilter.Row,
        predictor: (Lanes, Lanes, Lanes) -> Lanes
    ) {
        undo(row, from: 0, predictor: predictor) { $0.storeBytes(of: $1, as: UInt32.self) }
        if row.distance == 8 {
            undo(row, from: 4, predictor: predictor) { $0.storeBytes(of: $1, as: UInt32.self) }
        } else {
            undo(row, from: 4, predictor: predictor) { output, word in
                output.storeBytes(of: UInt16(truncatingIfNeeded: word), as: UInt16.self)
            }
        }
    }

    @inline(__always)
    private static func undo(
        _ row: SampleFilter.Row,
        from first: Int,
        predictor: (Lanes, Lanes, Lanes) -> Lanes,
        store: (UnsafeMutableRawPointer, UInt32) -> Void
    ) {
        var (left, corner) = (Lanes(repeating: 0), Lanes(repeating: 0))
        for offset in stride(from: first, to: row.count, by: row.distance) {
            let above = lanes(UnsafeRawPointer(row.above + offset))
            let output = UnsafeMutableRawPointer(row.bytes + offset)
            left = (lanes(UnsafeRawPointer(output)) &+ predictor(left, above, corner)) & 0xFF
            corner = above
            store(output, unsafeBitCast(SIMD4<UInt8>(truncatingIfNeeded: left), to: UInt32.self))
        }
    }

    @inline(__always)
    private static func lanes(_ source: UnsafeRawPointer) -> Lanes {
        let word = UInt32(littleEndian: source.loadUnaligned(as: UInt32.self))
        return Lanes(truncatingIfNeeded: unsafeBitCast(word, to: SIMD4<UInt8>.self))
    }
}
