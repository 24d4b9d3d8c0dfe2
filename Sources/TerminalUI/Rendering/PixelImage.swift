package import Decoders

/// An image for terminals that can display pixels.
///
/// Values are cheap to create and compare because the pixels are not computed until they are
/// encoded.
package struct PixelImage: Hashable, Sendable {
    /// The size in cells.
    package let box: ScreenSize
    /// The size in pixels.
    package let size: PixelSize
    /// A hash of the pixels, the size and the background colors, which identifies the image.
    package let fingerprint: UInt64
    /// Whether the image is a frame of an animation.
    ///
    /// The previous frame stays visible until the terminal has received the new one.
    package internal(set) var isAnimationFrame = false
    private let picture: PixelBuffer
    /// The visible part of the picture.
    private let part: PixelRect
    private let pictureSize: PixelSize
    private let cellPixels: PixelSize
    private let backdrop: Backdrop
    private let isCentered: Bool

    /// Creates an image that is fitted into whole cells.
    ///
    /// Only the rectangle `part` of the picture is shown, or the entire picture if `part` is nil.
    ///
    /// The image keeps its aspect ratio. It has the size `pictureSize`, or is smaller if that size
    /// does not fit. The parts of the cells that the image does not cover have the color
    /// `backdrop.card`. They are at the left and the right, and at the bottom or, if `isCentered`
    /// is true, at the top and the bottom.
    package init(
        _ picture: PixelBuffer,
        part: PixelRect? = nil,
        pictureSize: PixelSize,
        box: ScreenSize,
        cellPixels: PixelSize,
        backdrop: Backdrop,
        isCentered: Bool = false
    ) {
        self.picture = picture
        self.part = part ?? picture.whole
        self.box = box
        self.backdrop = backdrop
        self.isCentered = isCentered
        self.cellPixels = cellPixels
        let size = PixelSize(
            width: box.columns * max(1, cellPixels.width),
            height: box.rows * max(1, cellPixels.height)
        )
        self.size = size
        self.pictureSize = pictureSize.scaled(into: size, mode: .fit)
        var hash = Fingerprint()
        for side in [size.width, size.height, self.pictureSize.width, self.pictureSize.height] {
            hash.add(UInt64(side))
        }
        for color in [backdrop.card, backdrop.pending] {
            hash.add(UInt64(color.red << 16 | color.green << 8 | color.blue))
        }
        for side in [self.part.x, self.part.y, self.part.width, self.part.height] {
            hash.add(UInt64(side))
        }
        hash.add(isCentered ? 1 : 0)
        hash.add(picture.bytes)
        fingerprint = hash.value
    }

    /// Compares the sizes and the 64-bit fingerprints of two images.
    package static func == (left: PixelImage, right: PixelImage) -> Bool {
        left.fingerprint == right.fingerprint && left.size == right.size
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(fingerprint)
    }

    /// Returns an opaque image with a size of exactly `size`.
    ///
    /// This takes a millisecond for a thumbnail and tens of milliseconds for an image that fills
    /// the screen. Don't call this method on the UI thread.
    package func pixels() -> PixelBuffer {
        let scaled = picture.resampled(to: pictureSize, from: part)
        let left = (size.width - pictureSize.width) / 2
        let top = isCentered ? (size.height - pictureSize.height) / 2 : 0
        var pixels = [SIMD4<UInt8>](repeating: backdrop.card.packed, count: size.pixelCount)
        scaled.bytes.withUnsafeBytes { bytes in
            for row in 0..<pictureSize.height {
                let start = (top + row) * size.width + left
                for column in 0..<pictureSize.width {
                    let color = bytes.loadUnaligned(
                        fromByteOffset: (row * pictureSize.width + column) * 4,
                        as: SIMD4<UInt8>.self
                    )
                    pixels[start + column] =
                        color.w == 255
                        ? color : color.laid(over: ground(row: top + row, column: left + column))
                }
            }
        }
        let bytes = pixels.withUnsafeBytes { Array($0) }
        return PixelBuffer(size: size, bytes: bytes, hasAlpha: false)
    }

    /// Returns the background color of a pixel.
    ///
    /// The position is relative to the box, not the picture, so the squares are whole cells, as in
    /// an image drawn with characters.
    private func ground(row: Int, column: Int) -> SIMD4<UInt8> {
        backdrop.color(
            row: row / max(1, cellPixels.height),
            column: column / max(1, cellPixels.width)
        ).packed
    }
}

/// A fast hash of large data: two lanes of eight bytes, mixed as in wyhash.
///
/// The hash protects against accidental collisions, but not against forgery. If an attacker creates
/// two images with the same fingerprint, one of them is shown twice.
private struct Fingerprint {
    private var lanes: (UInt64, UInt64) = (0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F)

    var value: UInt64 { Self.mixed(lanes.0 ^ lanes.1.byteSwapped) }

    mutating func add(_ word: UInt64) {
        lanes.0 = Self.mixed(lanes.0 ^ word)
        lanes.1 = lanes.1 &+ (word ^ lanes.0) &* 0x9FB2_1C65_1E98_DF25
    }

    mutating func add(_ bytes: [UInt8]) {
        var (left, right) = lanes
        bytes.withUnsafeBytes { bytes in
            let words = bytes.count / 16
            for index in 0..<words {
                let first = bytes.loadUnaligned(fromByteOffset: index * 16, as: UInt64.self)
                let second = bytes.loadUnaligned(fromByteOffset: index * 16 + 8, as: UInt64.self)
                left = (left ^ first) &* 0x9FB2_1C65_1E98_DF25
                left ^= left >> 29
                right = (right ^ second) &* 0xD6E8_FEB8_6659_FD93
                right ^= right >> 32
            }
            for byte in bytes[(words * 16)...] { left = (left ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        lanes = (left, right)
        add(UInt64(bytes.count))
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ value >> 32) &* 0xD6E8_FEB8_6659_FD93
        value = (value ^ value >> 29) &* 0x9FB2_1C65_1E98_DF25
        return value ^ value >> 32
    }
}
