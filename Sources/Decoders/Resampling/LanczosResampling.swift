internal import Glibc

/// Methods that resample encoded samples with the Lanczos kernel, like tools that create data sets.
///
/// `resampled(to:)` averages light, as an eye does. However, machine learning models were trained
/// on images from Pillow and OpenCV, which average encoded samples, so thumbnails for such models
/// are made in the same way. The results differ from those of Pillow by at most one level.
extension PixelBuffer {
    /// Returns the entire image scaled to `size`, calculated with premultiplied alpha.
    ///
    /// If the image or `size` is empty, returns the image unchanged.
    package func lanczosResampled(to size: PixelSize) -> PixelBuffer {
        guard size != self.size, !size.isEmpty, !self.size.isEmpty else { return self }
        let rows = LanczosAxis(length: self.size.width, cellCount: size.width)
            .reduceRows(hasAlpha ? multiplied(bytes) : bytes, rowCount: self.size.height)
        let columns = LanczosAxis(length: self.size.height, cellCount: size.height)
            .reduceColumns(rows, width: size.width)
        return PixelBuffer(
            size: size,
            bytes: hasAlpha ? unmultiplied(columns) : columns,
            hasAlpha: hasAlpha
        )
    }

    /// Returns the image without alpha, blended over a background color (by default white).
    package func flattened(
        red: UInt8 = 255,
        green: UInt8 = 255,
        blue: UInt8 = 255
    ) -> PixelBuffer {
        guard hasAlpha else { return self }
        let ground = [red, green, blue]
        var flat = bytes
        for index in stride(from: 0, to: flat.count, by: 4) {
            let alpha = Int(flat[index + 3])
            for channel in 0..<3 {
                let sum = Int(flat[index + channel]) * alpha + Int(ground[channel]) * (255 - alpha)
                flat[index + channel] = UInt8((sum + 127) / 255)
            }
            flat[index + 3] = 255
        }
        return PixelBuffer(size: size, bytes: flat, hasAlpha: false)
    }

    private func multiplied(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for index in stride(from: 0, to: bytes.count, by: 4) where bytes[index + 3] < 255 {
            let alpha = Int(bytes[index + 3])
            for channel in index..<index + 3 {
                bytes[channel] = UInt8((Int(bytes[channel]) * alpha + 127) / 255)
            }
        }
        return bytes
    }

    private func unmultiplied(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for index in stride(from: 0, to: bytes.count, by: 4) {
            let alpha = Int(bytes[index + 3])
            guard alpha > 0, alpha < 255 else { continue }
            for channel in index..<index + 3 {
                bytes[channel] = UInt8(min(255, (Int(bytes[channel]) * 255 + alpha / 2) / alpha))
            }
        }
        return bytes
    }
}

/// The Lanczos kernel, sinc(x)·sinc(x/3), at positions one sample apart.
///
/// With a = πx/3, the kernel is sin 3a · sin a / 3a², and sin 3a is sin a·(3 - 4 sin² a), so only
/// the sine of a is needed. The sine at the next position is calculated from the current sine and
/// cosine by rotating them by the step.
private struct LanczosAngles {
    /// The angle between two samples.
    let step: Double
    private let turn: (sine: Double, cosine: Double)

    init(step: Double) {
        self.step = step
        turn = (sin(step), cos(step))
    }

    /// Returns `count` kernel values, starting at position `place`, measured in samples.
    func kernel(from place: Double, count: Int) -> [Double] {
        var angle = place * step
        var (sine, cosine) = (sin(angle), cos(angle))
        return (0..<count).map { _ in
            defer {
                angle += step
                (sine, cosine) = (
                    sine * turn.cosine + cosine * turn.sine,
                    cosine * turn.cosine - sine * turn.sine
                )
            }
            // This close to its center, the kernel is indistinguishable from 1.
            guard abs(angle) > 1e-6 else { return 1 }
            guard abs(angle) < .pi else { return 0 }
            return sine * sine * (3 - 4 * sine * sine) / (3 * angle * angle)
        }
    }
}

/// The weights of the samples for each target pixel ("cell") along one axis.
///
/// The weights are of type `Float`. Every processor can multiply four `Float` values at once, but
/// 32-bit integers are multiplied one by one before SSE4.1. With the 24-bit precision of `Float`,
/// the error is far less than half a level.
private struct LanczosAxis {
    /// The radius of the kernel, measured in target pixels.
    private static let support = 3.0
    /// 2²³; adding and subtracting it rounds a `Float` value.
    ///
    /// After it is added to a smaller number, the lowest bits of the sum contain the nearest
    /// integer.
    private static let nearest = Float(1 << 23)

    private let length: Int
    private let cellCount: Int
    private let tapCount: Int
    /// The index of the first sample of each target pixel.
    private var starts: [Int] = []
    /// The number of samples that contribute to each target pixel, at most `tapCount`.
    private var counts: [Int] = []
    /// The weights, `tapCount` for each target pixel; unused weights are 0.
    private var weights: [Float] = []

    init(length: Int, cellCount: Int) {
        self.length = length
        self.cellCount = cellCount
        let scale = Double(length) / Double(cellCount)
        let filterScale = max(1, scale)
        let support = Self.support * filterScale
        tapCount = min(length, Int(support.rounded(.up)) * 2 + 1)
        let angles = LanczosAngles(step: .pi / support)
        for cell in 0..<cellCount {
            let center = (Double(cell) + 0.5) * scale
            let start = max(0, Int(center - support + 0.5))
            let end = min(length, Int(center + support + 0.5))
            starts.append(start)
            counts.append(end - start)
            let raw = angles.kernel(from: Double(start) - center + 0.5, count: end - start)
            let sum = raw.reduce(0, +)
            weights += raw.lazy.map { Float($0 / sum) }
            weights += repeatElement(0, count: tapCount - raw.count)
        }
    }

    // The images are in memory, so no index overflows. Overflow checks in each step would prevent
    // the compiler from processing four values at once.

    /// Reduces rows of `length` pixels to rows of `cellCount` pixels; returns four channels for
    /// each pixel.
    func reduceRows(_ bytes: [UInt8], rowCount: Int) -> [SIMD4<Float>] {
        var row = [SIMD4<Float>](repeating: .zero, count: length)
        return [SIMD4<Float>](unsafeUninitializedCapacity: cellCount * rowCount) { output, count in
            bytes.withUnsafeBytes { bytes in
                row.withUnsafeMutableBufferPointer { row in
                    for number in 0..<rowCount {
                        for index in 0..<length {
                            let place = (number &* length &+ index) &* 4
                            row[index] = SIMD4<Float>(
                                bytes.loadUnaligned(fromByteOffset: place, as: SIMD4<UInt8>.self)
                            )
                        }
                        reduce(row, into: output, at: number &* cellCount)
                    }
                }
            }
            count = cellCount * rowCount
        }
    }

    private func reduce(
        _ row: UnsafeMutableBufferPointer<SIMD4<Float>>,
        into output: UnsafeMutableBufferPointer<SIMD4<Float>>,
        at place: Int
    ) {
        weights.withUnsafeBufferPointer { weights in
            for cell in 0..<cellCount {
                let (start, first) = (starts[cell], cell &* tapCount)
                let count = counts[cell]
                // There are four sums, because an addition must wait for the previous one.
                var (a, b, c, d) = (
                    SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero
                )
                var tap = 0
                while tap &+ 4 <= count {
                    let (sample, weight) = (start &+ tap, first &+ tap)
                    a += row[sample] * weights[weight]
                    b += row[sample &+ 1] * weights[weight &+ 1]
                    c += row[sample &+ 2] * weights[weight &+ 2]
                    d += row[sample &+ 3] * weights[weight &+ 3]
                    tap &+= 4
                }
                while tap < count {
                    a += row[start &+ tap] * weights[first &+ tap]
                    tap &+= 1
                }
                let sum = (a + b) + (c + d)
                // Overshoot is also clipped between the two axes, as in resamplers that store
                // bytes.
                output.initializeElement(at: place &+ cell, to: Self.cut(sum))
            }
        }
    }

    /// Reduces `length` rows of `width` pixels to `cellCount` rows.
    func reduceColumns(_ levels: [SIMD4<Float>], width: Int) -> [UInt8] {
        var sums = [SIMD4<Float>](repeating: .zero, count: width)
        return [UInt8](unsafeUninitializedCapacity: cellCount * width * 4) { output, count in
            let output = UnsafeMutableRawBufferPointer(output)
            levels.withUnsafeBufferPointer { levels in
                sums.withUnsafeMutableBufferPointer { sums in
                    for cell in 0..<cellCount {
                        sums.update(repeating: .zero)
                        let (start, first) = (starts[cell], cell &* tapCount)
                        let count = counts[cell]
                        var tap = 0
                        // Four rows are processed at a time, so the sums are read and written a
                        // quarter as often.
                        while tap &+ 4 <= count {
                            let a = (start &+ tap) &* width
                            let (b, c, d) = (a &+ width, a &+ 2 &* width, a &+ 3 &* width)
                            let weight = first &+ tap
                            let (wa, wb) = (weights[weight], weights[weight &+ 1])
                            let (wc, wd) = (weights[weight &+ 2], weights[weight &+ 3])
                            for index in 0..<width {
                                sums[index] +=
                                    (levels[a &+ index] * wa + levels[b &+ index] * wb)
                                    + (levels[c &+ index] * wc + levels[d &+ index] * wd)
                            }
                            tap &+= 4
                        }
                        while tap < count {
                            let (row, weight) = ((start &+ tap) &* width, weights[first &+ tap])
                            for index in 0..<width {
                                sums[index] += levels[row &+ index] * weight
                            }
                            tap &+= 1
                        }
                        for index in 0..<width {
                            output.storeBytes(
                                of: Self.bytes(of: sums[index]),
                                toByteOffset: (cell &* width &+ index) &* 4,
                                as: SIMD4<UInt8>.self
                            )
                        }
                    }
                }
            }
            count = cellCount * width * 4
        }
    }

    /// Clips levels to 0 through 255 without testing each level separately, as `clamped` would.
    @inline(__always)
    private static func cut(_ sum: SIMD4<Float>) -> SIMD4<Float> {
        let positive = sum.replacing(with: 0, where: sum .< 0)
        return positive.replacing(with: 255, where: positive .> 255)
    }

    @inline(__always)
    private static func bytes(of sum: SIMD4<Float>) -> SIMD4<UInt8> {
        let level = cut(sum) + nearest
        return SIMD4<UInt8>(truncatingIfNeeded: unsafeBitCast(level, to: SIMD4<UInt32>.self))
    }
}
