internal import Decoders

/// Pixels reduced or enlarged for art.
///
/// Nearest neighbour where the picture must shrink: the loader delivers thumbnails at the size of
/// their cells, so that this is the exception (a cell that became smaller).
enum PixelSampler {
    static func resampled(_ pixels: PixelBuffer, to size: PixelSize) -> PixelBuffer {
        resampled(pixels, to: size, left: 0, top: 0, crop: pixels.size)
    }

    static func resampled(
        _ pixels: PixelBuffer, to size: PixelSize, left: Int, top: Int, crop: PixelSize
    ) -> PixelBuffer {
        guard size != pixels.size || crop != pixels.size else { return pixels }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size.pixelCount * 4)
        for row in 0..<size.height {
            let sourceRow = top + (2 * row + 1) * crop.height / (2 * size.height)
            for column in 0..<size.width {
                let sourceColumn = left + (2 * column + 1) * crop.width / (2 * size.width)
                let start = (sourceRow * pixels.size.width + sourceColumn) * 4
                bytes += pixels.bytes[start..<start + 4]
            }
        }
        return PixelBuffer(size: size, bytes: bytes, hasAlpha: pixels.hasAlpha)
    }
}
