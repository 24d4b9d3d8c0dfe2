import Decoders

@testable import TerminalUI

/// Frames with pictures on them.
enum PictureFrames {
    /// Three pictures of 4×2 cells on a screen of 20×10, from a row on.
    ///
    /// With `playing` the picture of that number is a frame of an animation.
    static func frame(
        row: Int = 1,
        numbers: [Int] = [0, 1, 2],
        playing: Int? = nil
    ) -> Frame {
        var frame = Frame(size: ScreenSize(columns: 20, rows: 10))
        var capabilities = ScreenCapabilities(colorDepth: .trueColor, symbols: .halfBlocks)
        capabilities.graphics = .kitty
        for (place, number) in numbers.enumerated() {
            var image = CellImage(
                plain(number),
                box: ScreenSize(columns: 4, rows: 2),
                capabilities: capabilities
            )
            if number == playing { image.becomeAnimationFrame() }
            let box = FrameRect(row: row, column: 1 + place * 6, rows: 2, columns: 4)
            frame.draw(FrameImage(image, centeredIn: box))
        }
        return frame
    }

    private static func plain(_ number: Int) -> PixelBuffer {
        let pixel: [UInt8] = [UInt8(number), 100, 200, 255]
        return PixelBuffer(
            size: PixelSize(width: 40, height: 40),
            bytes: Array(repeatElement(pixel, count: 1600).joined()),
            hasAlpha: false
        )
    }
}
