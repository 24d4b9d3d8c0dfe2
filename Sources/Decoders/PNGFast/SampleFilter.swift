/// Undoes a row's filter (PNG, 9.2) in place, for samples of any type.
///
/// The caller must check the bounds of all pointers. `above` must have the same length and contain
/// the row above with its filter undone. At least two readable bytes must follow each row.
enum SampleFilter {
    /// A row of bytes without the filter number.
    struct Row {
        let bytes: UnsafeMutablePointer<UInt8>
        let above: UnsafePointer<UInt8>
        let count: Int
        /// The distance in bytes from a byte to the corresponding byte of the pixel to the left.
        let distance: Int

        /// Whether `WideFilter` supports the row.
        var isWide: Bool { distance >= 6 }
    }

    /// Undoes the filter with this number; returns false if the number is invalid.
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

    /// Adds the value of `predictor` to each byte of the row.
    ///
    /// The row is processed once for each byte of a pixel, so the byte to the left is in a register
    /// instead of memory.
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

/// Undoes a row's filter (PNG, 9.2) in place, for 16-bit RGB and RGBA images.
///
/// The first four bytes of all pixels are processed first, and then the remaining bytes.
///
/// The caller must check the bounds of all pointers. Four bytes are read even if a pixel has only
/// two remaining bytes, so two readable bytes must follow the last row. These two bytes are not
/// modified.
enum WideFilter {
    private typealias Lanes = SIMD4<Int16>

    /// Undoes filter 1, which stores the difference from the pixel to the left.
    static func undoSub(_ row: SampleFilter.Row) {
        undo(row) { left, _, _ in left }
    }

    /// Undoes filter 3, which stores the difference from the mean of left and above, rounded down.
    static func undoAverage(_ row: SampleFilter.Row) {
        undo(row) { left, above, _ in (left &+ above) &>> 1 }
    }

    /// Undoes filter 4, which stores the difference from the Paeth predictor.
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
