package import Decoders
package import TerminalUI

extension ScreenCapabilities {
    package static let color = ScreenCapabilities(colorDepth: .trueColor, symbols: .halfBlocks)
    package static let plain = ScreenCapabilities(colorDepth: .monochrome, symbols: .ascii)
}

extension Frame {
    /// The characters, line by line, without trailing blanks.
    package var lines: [String] {
        (0..<size.rows).map { row in
            var line = String.UnicodeScalarView()
            for column in 0..<size.columns {
                let scalars = self[row, column].scalars
                line.append(contentsOf: scalars.map { Unicode.Scalar($0) ?? "\u{FFFD}" })
            }
            while line.last == " " { line.removeLast() }
            return String(line)
        }
    }
}

extension PixelBuffer {
    /// Returns an image of a single color.
    package static func plain(
        _ width: Int,
        _ height: Int,
        _ rgba: [UInt8] = [200, 100, 50, 255]
    )
        -> PixelBuffer
    {
        let size = PixelSize(width: width, height: height)
        // The length doubles each time: element by element, 12 megapixels take seconds without the
        // optimizer.
        var bytes = size.isEmpty ? [] : rgba
        while bytes.count < size.pixelCount * 4 {
            bytes += bytes.prefix(size.pixelCount * 4 - bytes.count)
        }
        return PixelBuffer(size: size, bytes: bytes, hasAlpha: rgba[3] < 255)
    }
}
