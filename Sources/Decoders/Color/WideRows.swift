/// Rows of 16-bit samples, which are converted to sRGB before they are reduced to 8 bits.
///
/// Some curves need more than 8 bits: adjacent 8-bit samples would differ by several sRGB levels.
final class WideRows {
    private let conversion: ColorConversion
    private let width: Int
    private var samples: [UInt16]

    /// Creates the buffer for rows of `width` pixels in the color space of `profile`.
    init(_ profile: ColorProfile, width: Int) {
        conversion = ColorConversion(wide: profile)
        self.width = width
        samples = [UInt16](repeating: 0, count: width * 4 * RowCollector.stripRowCount)
    }

    /// The memory in bytes for rows of `width` pixels.
    static func byteCount(width: Int) -> Int { width * 8 * RowCollector.stripRowCount }

    /// Calls `read` with a buffer for the samples, converts the rows, and writes them to `strip`.
    ///
    /// `read` writes up to `RowCollector.stripRowCount` rows and returns the number of rows written.
    func fill(
        _ strip: UnsafeMutableBufferPointer<UInt8>,
        read: (UnsafeMutableBufferPointer<UInt8>) throws(ImageDecodingError) -> Int
    ) throws(ImageDecodingError) -> Int {
        try samples.withUnsafeMutableBufferPointer {
            (samples) throws(ImageDecodingError) -> Int in
            let bytes = UnsafeMutableRawBufferPointer(samples)
            let rowCount = try read(bytes.bindMemory(to: UInt8.self))
            let rows = UnsafeBufferPointer(rebasing: samples[..<(rowCount * width * 4)])
            conversion.convert(rows, into: strip)
            return rowCount
        }
    }
}
