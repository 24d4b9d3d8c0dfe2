internal import Glibc

/// Resampling as the tools of data sets do it: Lanczos' kernel over encoded samples.
///
/// `resampled(to:)` averages light, as an eye would. Programs that learn from pictures were fed by Pillow
/// and OpenCV, which work on encoded samples: a thumbnail for them is made as they make it. Coefficients of 22
/// bits and 8 bits between the two passes, as Pillow has them, so that results are the same but for a level.
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
private struct LanczosAxis {
    /// Of the kernel, in cells.
    private static let support = 3.0
    private static let bitCount: Int32 = 22

    private let length: Int
    private let cellCount: Int
    private let tapCount: Int
    /// The first sample of each cell.
    private var starts: [Int] = []
    /// `tapCount` for each cell; the last may be 0.
    private var weights: [Int32] = []

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
            weights += raw.map { Int32(($0 / sum * Double(1 << Self.bitCount)).rounded()) }
            weights += [Int32](repeating: 0, count: tapCount - raw.count)
        }
    }

    private static func kernel(_ x: Double) -> Double {
        abs(x) < support ? sinc(x) * sinc(x / support) : 0
    }

    private static func sinc(_ x: Double) -> Double {
        x == 0 ? 1 : sin(x * .pi) / (x * .pi)
    }

    private static func level(_ sum: Int32) -> UInt8 { UInt8(clamping: sum >> bitCount) }
    private static let half = Int32(1) << (bitCount - 1)

    /// Rows of `length` pixels made `cellCount` long.
    func reduceRows(_ bytes: [UInt8], rowCount: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: cellCount * rowCount * 4) { output, count in
            bytes.withUnsafeBufferPointer { bytes in
                weights.withUnsafeBufferPointer { weights in
                    for row in 0..<rowCount {
                        for cell in 0..<cellCount {
                            let start = starts[cell]
                            let end = min(tapCount, length - start)
                            var sum = SIMD4<Int32>(repeating: Self.half)
                            var place = (row * length + start) * 4
                            for tap in cell * tapCount..<cell * tapCount + end {
                                let pixel = SIMD4<Int32>(
                                    Int32(bytes[place]),
                                    Int32(bytes[place + 1]),
                                    Int32(bytes[place + 2]),
                                    Int32(bytes[place + 3])
                                )
                                sum &+= pixel &* weights[tap]
                                place += 4
                            }
                            let target = (row * cellCount + cell) * 4
                            for channel in 0..<4 {
                                output[target + channel] = Self.level(sum[channel])
                            }
                        }
                    }
                }
            }
            count = cellCount * rowCount * 4
        }
    }

    /// `length` rows of `width` pixels made `cellCount` rows.
    func reduceColumns(_ bytes: [UInt8], width: Int) -> [UInt8] {
        let rowByteCount = width * 4
        var sums = [Int32](repeating: 0, count: rowByteCount)
        return [UInt8](unsafeUninitializedCapacity: cellCount * rowByteCount) { output, count in
            bytes.withUnsafeBufferPointer { bytes in
                sums.withUnsafeMutableBufferPointer { sums in
                    for cell in 0..<cellCount {
                        sums.update(repeating: Self.half)
                        let start = starts[cell]
                        for tap in 0..<min(tapCount, length - start) {
                            let weight = weights[cell * tapCount + tap]
                            guard weight != 0 else { continue }
                            let row = (start + tap) * rowByteCount
                            for index in 0..<rowByteCount {
                                sums[index] &+= Int32(bytes[row + index]) &* weight
                            }
                        }
                        for index in 0..<rowByteCount {
                            output[cell * rowByteCount + index] = Self.level(sums[index])
                        }
                    }
                }
            }
            count = cellCount * rowByteCount
        }
    }
}
