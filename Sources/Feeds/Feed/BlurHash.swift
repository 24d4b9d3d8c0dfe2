package import Decoders
internal import Glibc

/// A BlurHash: a blurred placeholder, encoded in the feed as 6 to 166 characters.
///
/// The format is described in https://github.com/woltapp/blurhash/blob/master/Algorithm.md. It uses
/// base-83 digits. The first digit contains the numbers of components across and down, the second
/// the largest amplitude, the next four the mean color, and each following pair one component:
///
///     9 * (down - 1) + across - 1, 166 * largest - 1, 0xRRGGBB, 19² * R + 19 * G + B…
package struct BlurHash: Hashable, Sendable {
    private let text: String

    /// Parses a BlurHash, or returns nil if the text is invalid.
    package init?(_ text: String) {
        guard let digits = Self.digits(text), digits.count >= 6,
            digits.count == 4 + 2 * (digits[0] % 9 + 1) * (digits[0] / 9 + 1)
        else { return nil }
        self.text = text
    }

    /// The aspect ratio to use if the feed does not specify the size of the image.
    package var usualSize: PixelSize { PixelSize(width: 4, height: 3) }

    /// The maximum number of pixels per side; the placeholder shows no details.
    private static let mostPixels = 32

    /// Returns the placeholder as pixels, with the aspect ratio of the image.
    package func pixels(of size: PixelSize) -> PixelBuffer {
        let longest = max(1, size.width, size.height)
        let sides = [size.width, size.height].map { max(1, $0 * Self.mostPixels / longest) }
        return pixels(width: sides[0], height: sides[1])
    }

    package func pixels(width: Int, height: Int) -> PixelBuffer {
        let digits = Self.digits(text) ?? []
        let (across, down) = (digits[0] % 9 + 1, digits[0] / 9 + 1)
        let colors = Self.colors(digits, count: across * down)
        let columns = Self.waves(across, length: width)
        let rows = Self.waves(down, length: height)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * 4)
        for y in 0..<height {
            for x in 0..<width {
                var sum = SIMD3<Float>.zero
                for j in 0..<down {
                    for i in 0..<across {
                        sum += colors[j * across + i] * (columns[i][x] * rows[j][y])
                    }
                }
                for channel in 0..<3 { bytes.append(Self.byte(linear: sum[channel])) }
                bytes.append(255)
            }
        }
        let size = PixelSize(width: width, height: height)
        return PixelBuffer(size: size, bytes: bytes, hasAlpha: false)
    }

    /// Returns the values of each cosine wave at each pixel along one side.
    private static func waves(_ count: Int, length: Int) -> [[Float]] {
        (0..<count).map { wave in
            (0..<length).map { cos(Float.pi * Float(wave) * Float($0) / Float(length)) }
        }
    }

    /// Returns the mean color and the colors of the other components in linear light.
    private static func colors(_ digits: [Int], count: Int) -> [SIMD3<Float>] {
        let mean = number(digits[2..<6])
        let first = [mean >> 16 & 255, mean >> 8 & 255, mean & 255].map(linear)
        let strongest = Float(digits[1] + 1) / 166
        return [SIMD3(first[0], first[1], first[2])]
            + (1..<max(1, count)).map { index in
                let value = number(digits[(4 + index * 2)..<(6 + index * 2)])
                let steps = [value / 361, value / 19 % 19, value % 19].map { step -> Float in
                    let wave = (Float(step) - 9) / 9
                    return (wave < 0 ? -wave * wave : wave * wave) * strongest
                }
                return SIMD3(steps[0], steps[1], steps[2])
            }
    }

    private static func number(_ digits: ArraySlice<Int>) -> Int {
        digits.reduce(0) { $0 * 83 + $1 }
    }

    private static func linear(_ byte: Int) -> Float {
        let value = Float(byte) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    private static func byte(linear value: Float) -> UInt8 {
        let value = max(0, min(1, value))
        let coded = value <= 0.003_130_8 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055
        return UInt8(coded * 255 + 0.5)
    }

    private static let alphabet = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8
    )

    private static func digits(_ text: String) -> [Int]? {
        guard text.utf8.count <= 166 else { return nil }
        var digits: [Int] = []
        for byte in text.utf8 {
            guard let digit = alphabet.firstIndex(of: byte) else { return nil }
            digits.append(digit)
        }
        return digits
    }
}
