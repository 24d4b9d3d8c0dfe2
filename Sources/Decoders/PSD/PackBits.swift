/// The run-length encoding of Macintosh pictures, which TIFF and PSD files use.
enum PackBits {
    /// Decodes `source` and returns whether it fills `row`.
    ///
    /// A run starts with a signed byte: at least 0 for the number of bytes that follow minus 1, or
    /// below 0 for the negative number of repetitions of the next byte plus 1. The byte -128 is
    /// skipped.
    static func read(_ source: UnsafeBufferPointer<UInt8>, into row: inout [UInt8]) -> Bool {
        var (offset, column) = (0, 0)
        while column < row.count, offset < source.count {
            let header = Int(Int8(bitPattern: source[offset]))
            offset += 1
            guard header != -128 else { continue }
            let isRun = header < 0
            let count = min(abs(header) + 1, row.count - column)
            guard offset + (isRun ? 1 : count) <= source.count else { return false }
            for index in 0..<count { row[column + index] = source[offset + (isRun ? 0 : index)] }
            column += count
            offset += isRun ? 1 : count
        }
        return column == row.count
    }
}
