internal import Decoders

/// A color with R, G and B from 0 to 255.
///
/// The fourth component is a weight or 0.
typealias Color = SIMD4<Float>

/// The number of pixels of each color in an image.
///
/// Colors that differ only in the two lowest bits of each channel are counted in the same bin.
struct ColorHistogram {
    /// The mean color of each bin that occurs in the image.
    ///
    /// The fourth component is the number of pixels.
    private(set) var points: [Color]
    /// The index in `points` for each bin, or -1 if the bin does not occur in the image.
    private(set) var pointOfBin: [Int32]

    /// Returns the bin of a color: the upper six bits of R, G and B.
    @inline(__always)
    static func bin(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int {
        Int(red >> 2) << 12 | Int(green >> 2) << 6 | Int(blue >> 2)
    }

    /// Counts the colors of `pixels`; alpha is ignored.
    init(_ pixels: PixelBuffer) {
        var points: [Color] = []
        points.reserveCapacity(min(pixels.size.pixelCount, 1 << 14))
        var table = [Int32](repeating: -1, count: 1 << 18)
        pixels.bytes.withUnsafeBufferPointer { bytes in
            table.withUnsafeMutableBufferPointer { table in
                for start in stride(from: 0, to: bytes.count, by: 4) {
                    let (red, green, blue) = (bytes[start], bytes[start + 1], bytes[start + 2])
                    let color = Color(Float(red), Float(green), Float(blue), 1)
                    let bin = Self.bin(red, green, blue)
                    let point = table[bin]
                    if point >= 0 {
                        points[Int(point)] += color
                    } else {
                        table[bin] = Int32(points.count)
                        points.append(color)
                    }
                }
            }
        }
        for index in points.indices {
            let weight = points[index].w
            points[index] /= weight
            points[index].w = weight
        }
        self.points = points
        pointOfBin = table
    }
}

/// The palette of an image with few colors, and the palette index of each pixel.
struct ExactColors {
    /// The red, green and blue values of each color, in order of first occurrence.
    let palette: [UInt8]
    /// The palette index of each pixel.
    let indices: [UInt8]

    /// Finds the colors of `pixels`, or returns nil if the image has more than `limit` colors.
    ///
    /// `limit` is at most 256.
    init?(_ pixels: PixelBuffer, limit: Int) {
        // Open addressing: a slot contains a color with its index in the upper byte, or nil.
        var slots = [UInt32?](repeating: nil, count: 1024)
        var palette: [UInt8] = []
        var indices: [UInt8] = []
        indices.reserveCapacity(pixels.size.pixelCount)
        let bytes = pixels.bytes
        var (last, lastIndex): (UInt32?, UInt8) = (nil, 0)
        for start in stride(from: 0, to: bytes.count, by: 4) {
            let (red, green, blue) = (bytes[start], bytes[start + 1], bytes[start + 2])
            let color = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
            if color != last {
                var slot = Int((color &* 0x9E37_79B1) >> 22)
                while let held = slots[slot], held & 0xFF_FFFF != color { slot = (slot + 1) & 1023 }
                if let held = slots[slot] {
                    lastIndex = UInt8(held >> 24)
                } else {
                    guard palette.count / 3 < limit else { return nil }
                    lastIndex = UInt8(palette.count / 3)
                    slots[slot] = UInt32(lastIndex) << 24 | color
                    palette += [red, green, blue]
                }
                last = color
            }
            indices.append(lastIndex)
        }
        (self.palette, self.indices) = (palette, indices)
    }
}
