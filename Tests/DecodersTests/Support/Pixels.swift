import Decoders
import Glibc

/// A pixel as tests write it.
struct Pixel: Equatable, CustomStringConvertible {
    var red: UInt8
    var green: UInt8
    var blue: UInt8
    var alpha: UInt8 = 255

    init(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ alpha: UInt8 = 255) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    static let white = Pixel(255, 255, 255)

    var description: String { "(\(red), \(green), \(blue), \(alpha))" }

    /// Whether no channel differs by more than `tolerance`.
    func isClose(to other: Pixel, tolerance: Int) -> Bool {
        zip([red, green, blue, alpha], [other.red, other.green, other.blue, other.alpha])
            .allSatisfy { abs(Int($0) - Int($1)) <= tolerance }
    }
}

extension PixelBuffer {
    /// Creates an image whose pixel at (x, y) is `color(x, y)`.
    init(width: Int, height: Int, color: (Int, Int) -> Pixel) {
        var bytes: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let pixel = color(x, y)
                bytes += [pixel.red, pixel.green, pixel.blue, pixel.alpha]
            }
        }
        let hasAlpha = stride(from: 3, to: bytes.count, by: 4).contains { bytes[$0] < 255 }
        self.init(
            size: PixelSize(width: width, height: height),
            bytes: bytes,
            hasAlpha: hasAlpha
        )
    }

    /// The pixel at (x, y).
    subscript(x: Int, y: Int) -> Pixel {
        let offset = (y * size.width + x) * 4
        return Pixel(bytes[offset], bytes[offset + 1], bytes[offset + 2], bytes[offset + 3])
    }

    /// The pixels in the middle of the four quarters: top left, top right, bottom left, bottom
    /// right.
    var quarters: [Pixel] {
        let (width, height) = (size.width, size.height)
        return [(1, 1), (3, 1), (1, 3), (3, 3)].map { self[$0 * width / 4, $1 * height / 4] }
    }

    /// Returns the similarity of the colors, in decibels of the full scale.
    func signalToNoise(against other: PixelBuffer) -> Double {
        let sum = zip(bytes, other.bytes).reduce(0.0) { sum, pair in
            let difference = Double(pair.0) - Double(pair.1)
            return sum + difference * difference
        }
        return sum == 0 ? .infinity : 10 * log10(255 * 255 * Double(size.pixelCount * 3) / sum)
    }

    /// Slopes, waves that get finer to the right, and some grain.
    static let scenery: PixelBuffer = {
        var generator = SeededGenerator(seed: 9)
        return PixelBuffer(width: 480, height: 360) { x, y in
            let wave = Int(40 * sin(Double(x * x) / 3000 + Double(y) / 30))
            let grain = Int.random(in: -3...3, using: &generator)
            return Pixel(
                UInt8(clamping: x / 3 + 40 + wave + grain),
                UInt8(clamping: y / 2 + 30 + wave / 2 + grain),
                UInt8(clamping: 150 - x / 6 + grain)
            )
        }
    }()

    /// Returns the maximum difference between a byte and the same byte of `other`.
    func maximumDifference(from other: PixelBuffer) -> Int {
        zip(bytes, other.bytes).map { abs(Int($0) - Int($1)) }.max() ?? 0
    }
}

/// The four quarters of the fixtures: red, green, blue, yellow.
let quarterColors = [
    Pixel(200, 40, 40), Pixel(40, 160, 40), Pixel(40, 40, 200), Pixel(210, 200, 40),
]

/// Returns the picture of the fixtures at a size of `width` by `height`.
func quarterPicture(width: Int = 48, height: Int = 32) -> PixelBuffer {
    PixelBuffer(width: width, height: height) { x, y in
        quarterColors[(y * 2 / height) * 2 + x * 2 / width]
    }
}

/// A generator whose whole sequence follows from its seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Returns noise, with a random alpha for each pixel if `hasAlpha`.
func noise(width: Int, height: Int, hasAlpha: Bool, seed: UInt64) -> PixelBuffer {
    var generator = SeededGenerator(seed: seed)
    return PixelBuffer(width: width, height: height) { _, _ in
        let bits = generator.next()
        return Pixel(
            UInt8(truncatingIfNeeded: bits),
            UInt8(truncatingIfNeeded: bits >> 8),
            UInt8(truncatingIfNeeded: bits >> 16),
            hasAlpha ? UInt8(truncatingIfNeeded: bits >> 24) : 255
        )
    }
}

/// Returns noise as a baseline JPEG, a progressive JPEG, a PNG and an interlaced PNG: one file for
/// each path through the decoders.
func noiseFiles(width: Int, height: Int) throws -> [[UInt8]] {
    let picture = noise(width: width, height: height, hasAlpha: false, seed: 9)
    return try [
        JPEGEncoder.encode(picture, quality: 80, progressive: false),
        JPEGEncoder.encode(picture, quality: 80, progressive: true),
        PNGEncoder.encode(picture, interlaced: false),
        PNGEncoder.encode(picture, interlaced: true),
    ]
}

/// The power function, for tests that import nothing else of the C library.
enum Power {
    static func of(_ value: Double, _ exponent: Double) -> Double { pow(value, exponent) }
}
