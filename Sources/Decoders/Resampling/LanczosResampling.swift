internal import Glibc

/// Resampling as the tools of data sets do it: Lanczos' kernel over encoded samples.
///
/// `resampled(to:)` averages light, as an eye would. Programs that learn from pictures were fed by Pillow
/// and OpenCV, which work on encoded samples: a thumbnail for them is made as they make it. Results
/// are Pillow's but for a level.
extension PixelBuffer {
    /// The whole picture at a smaller size, with premultiplied alpha; neither size may be empty.
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

    /// On a ground of one grey, without alpha.
    package func flattened(on ground: UInt8) -> PixelBuffer {
        guard hasAlpha else { return self }
        var flat = bytes
        for index in stride(from: 0, to: flat.count, by: 4) {
            let alpha = Int(flat[index + 3])
            for channel in index..<index + 3 {
                let sum = Int(flat[channel]) * alpha + Int(ground) * (255 - alpha)
                flat[channel] = UInt8((sum + 127) / 255)
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

/// What each cell along one axis takes of which samples.
///
/// In `Float`, of which any processor multiplies four at once; 32-bit integers it multiplies one by one
/// before SSE4.1. What 24 bits lose is far less than half a level.
private struct LanczosAxis {
    /// Of the kernel, in cells.
    private static let support = 3.0
    /// 2²³: added to less than that, it leaves the nearest whole number in the lowest bits.
    private static let nearest = Float(1 << 23)

    private let length: Int
    private let cellCount: Int
    private let tapCount: Int
    /// The first sample of each cell.
    private var starts: [Int] = []
    /// `tapCount` for each cell; the last may be 0.
    private var weights: [Float] = []

    init(length: Int, cellCount: Int) {
        self.length = length
        self.cellCount = cellCount
        let scale = Double(length) / Double(cellCount)
        let filterScale = max(1, scale)
        let support = Self.support * filterScale
        tapCount = min(length, Int(support.rounded(.up)) * 2 + 1)
        for cell in 0..<cellCount {
            let center = (Double(cell) + 0.5) * scale
            let start = max(0, Int(center - support + 0.5))
            let end = min(length, Int(center + support + 0.5))
            let raw = (start..<end).map {
                Self.kernel((Double($0) - center + 0.5) / filterScale)
            }
            let sum = raw.reduce(0, +)
            starts.append(start)
            weights += raw.map { Float($0 / sum) }
            weights += [Float](repeating: 0, count: tapCount - raw.count)
        }
    }

    private static func kernel(_ x: Double) -> Double {
        abs(x) < support ? sinc(x) * sinc(x / support) : 0
    }

    private static func sinc(_ x: Double) -> Double {
        x == 0 ? 1 : sin(x * .pi) / (x * .pi)
    }

    // Sizes are those of pictures in memory, so that no place in one overflows: checks of each step would
    // keep the compiler from taking four at once.

    /// Rows of `length` pixels made `cellCount` long; four levels for each pixel.
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
                var sum = SIMD4<Float>.zero
                for tap in 0..<min(tapCount, length &- start) {
                    sum += row[start &+ tap] * weights[first &+ tap]
                }
                // What shoots over is cut between the axes too, as where bytes are resampled.
                let level = sum.clamped(lowerBound: .zero, upperBound: Self.white)
                output.initializeElement(at: place &+ cell, to: level)
            }
        }
    }

    /// `length` rows of `width` pixels made `cellCount` rows.
    func reduceColumns(_ levels: [SIMD4<Float>], width: Int) -> [UInt8] {
        var sums = [SIMD4<Float>](repeating: .zero, count: width)
        return [UInt8](unsafeUninitializedCapacity: cellCount * width * 4) { output, count in
            let output = UnsafeMutableRawBufferPointer(output)
            levels.withUnsafeBufferPointer { levels in
                sums.withUnsafeMutableBufferPointer { sums in
                    for cell in 0..<cellCount {
                        sums.update(repeating: .zero)
                        let start = starts[cell]
                        for tap in 0..<min(tapCount, length &- start) {
                            let weight = weights[cell &* tapCount &+ tap]
                            guard weight != 0 else { continue }
                            let row = (start &+ tap) &* width
                            for index in 0..<width {
                                sums[index] += levels[row &+ index] * weight
                            }
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

    private static let white = SIMD4<Float>(repeating: 255)

    private static func bytes(of sum: SIMD4<Float>) -> SIMD4<UInt8> {
        let level = sum.clamped(lowerBound: .zero, upperBound: white) + nearest
        return SIMD4<UInt8>(truncatingIfNeeded: unsafeBitCast(level, to: SIMD4<UInt32>.self))
    }
}
