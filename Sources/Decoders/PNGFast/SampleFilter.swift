/// Undoes a row's filter (PNG, 9.2) in place, whatever the samples are.
///
/// Works on pointers that its caller has checked: `above` is the row above, undone, as long as the
/// row; two bytes may be read behind both.
enum SampleFilter {
    /// A row of bytes without its filter's number.
    struct Row {
        let bytes: UnsafeMutablePointer<UInt8>
        let above: UnsafePointer<UInt8>
        let count: Int
        /// From a byte to the one it is predicted from.
        let distance: Int

        /// Whether `WideFilter` takes it.
        var isWide: Bool { distance >= 6 }
    }

    /// Undoes filter `number`; false if there is no such filter.
    static func undo(_ number: UInt8, _ row: Row) -> Bool {
        switch number {
        case 0: break
        case 1 where row.isWide: WideFilter.undoSub(row)
        case 1: undo(row) { left, _, _ in left }
        case 2: undoUp(row)
        case 3 where row.isWide: WideFilter.undoAverage(row)
        case 3: undo(row) { left, above, _ in (left &+ above) &>> 1 }
        case 4 where row.isWide: WideFilter.undoPaeth(row)
        case 4: undo(row, predictor: PaethPredictor.predict)
        default: return false
        }
        return true
    }

    private static func undoUp(_ row: Row) {
        for index in 0..<row.count { row.bytes[index] &+= row.above[index] }
    }

    /// Goes over the row once for each of the bytes that a pixel has, so that what comes from the
    /// left is at hand, not in memory.
    @inline(__always)
    private static func undo(_ row: Row, predictor: (Int, Int, Int) -> Int) {
        for first in 0..<min(row.distance, row.count) {
            var (left, corner, index) = (0, 0, first)
            while index < row.count {
                let above = Int(row.above[index])
                left = (Int(row.bytes[index]) &+ predictor(left, above, corner)) & 0xFF
                row.bytes[index] = UInt8(truncatingIfNeeded: left)
                corner = above
                index &+= row.distance
            }
        }
    }
}

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
