internal import CImageCodecs

/// The lossless format in which this program's disk cache stores pixels.
///
/// The format is fast to write and even faster to read. Each sample is stored as its difference
/// from the sample above it; the difference for green is then subtracted from those for red and
/// blue. The differences are deflated at level 1, to slightly more than half the size of the
/// pixels. Reading them takes a third of the time that a PNG decoder needs to start. Pixels that
/// fit into one disk block are not compressed.
///
///     byte 0         0: plain samples; 1: differences, as a zlib stream (RFC 1950)
///     other bytes    three samples per pixel, or four if pixels may be transparent
package enum PackedPixels {
    private static let plain: UInt8 = 0
    private static let deflated: UInt8 = 1
    /// The smallest amount of disk space that a file occupies, in bytes.
    private static let blockByteCount = 4_096
    /// The deflate level; higher levels take three times as long to save one percent.
    private static let level: Int32 = 1

    /// Packs pixels; returns nil if the image is empty or memory runs out.
    package static func pack(_ pixels: PixelBuffer) -> [UInt8]? {
        guard !pixels.size.isEmpty else { return nil }
        let channels = pixels.hasAlpha ? 4 : 3
        let byteCount = pixels.size.pixelCount * channels
        guard byteCount > blockByteCount else { return [plain] + samples(pixels, channels) }
        let differences = differences(pixels, channels)
        var output = cic_buffer()
        defer { cic_buffer_free(&output) }
        let status = differences.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { cic_deflate($0, buffer.count, level, &output) } ?? .empty
        }
        guard status == .ok else { return nil }
        return [deflated] + UnsafeBufferPointer(start: output.bytes, count: output.count)
    }

    /// Unpacks pixels; returns nil if `bytes` does not contain an image of this size.
    ///
    /// The caller must limit the size: four bytes per pixel are allocated before the bytes are
    /// read.
    package static func unpack(
        _ bytes: ArraySlice<UInt8>,
        size: PixelSize,
        hasAlpha: Bool
    ) -> PixelBuffer? {
        guard !size.isEmpty, let form = bytes.first else { return nil }
        let channels = hasAlpha ? 4 : 3
        let byteCount = size.pixelCount * channels
        let content = bytes.dropFirst()
        let result: [UInt8]?
        switch form {
        case plain:
            result = content.count == byteCount ? pixels(of: content, channels) : nil
        case deflated:
            result = inflated(content, byteCount).map { sums($0, size: size, channels: channels) }
        default: result = nil
        }
        return result.map { PixelBuffer(size: size, bytes: $0, hasAlpha: hasAlpha) }
    }

    // MARK: Plain samples

    private static func samples(_ pixels: PixelBuffer, _ channels: Int) -> [UInt8] {
        guard channels == 3 else { return pixels.bytes }
        let count = pixels.size.pixelCount
        return [UInt8](unsafeUninitializedCapacity: count * 3) { output, initialized in
            pixels.bytes.withUnsafeBufferPointer { input in
                for index in 0..<count {
                    output[index * 3] = input[index * 4]
                    output[index * 3 + 1] = input[index * 4 + 1]
                    output[index * 3 + 2] = input[index * 4 + 2]
                }
            }
            initialized = count * 3
        }
    }

    private static func pixels(of samples: ArraySlice<UInt8>, _ channels: Int) -> [UInt8] {
        guard channels == 3 else { return Array(samples) }
        let count = samples.count / 3
        return [UInt8](unsafeUninitializedCapacity: count * 4) { output, initialized in
            samples.withUnsafeBufferPointer { input in
                for index in 0..<count {
                    output[index * 4] = input[index * 3]
                    output[index * 4 + 1] = input[index * 3 + 1]
                    output[index * 4 + 2] = input[index * 3 + 2]
                    output[index * 4 + 3] = 255
                }
            }
            initialized = count * 4
        }
    }

    // MARK: Differences

    private static func inflated(_ stream: ArraySlice<UInt8>, _ byteCount: Int) -> [UInt8]? {
        var isWhole = false
        let result = [UInt8](unsafeUninitializedCapacity: byteCount) { output, initialized in
            isWhole = stream.withUnsafeBufferPointer { input in
                guard let from = input.baseAddress, let to = output.baseAddress else {
                    return false
                }
                return cic_inflate(from, input.count, to, byteCount)
            }
            initialized = isWhole ? byteCount : 0
        }
        return isWhole ? result : nil
    }

    /// Returns the index of the pixel that is subtracted from the pixel at `index`.
    ///
    /// This is the pixel above or, in the first row, the pixel to the left.
    @inline(__always)
    private static func reference(_ index: Int, _ width: Int) -> Int {
        index >= width ? index - width : index - 1
    }

    private static func differences(_ pixels: PixelBuffer, _ channels: Int) -> [UInt8] {
        let (count, width) = (pixels.size.pixelCount, pixels.size.width)
        return [UInt8](unsafeUninitializedCapacity: count * channels) { output, initialized in
            pixels.bytes.withUnsafeBufferPointer { input in
                for index in 0..<count {
                    let (at, to) = (index * 4, index * channels)
                    let from = reference(index, width) * 4
                    let isFirst = index == 0
                    let green = input[at + 1] &- (isFirst ? 0 : input[from + 1])
                    output[to + 1] = green
                    output[to] = input[at] &- (isFirst ? 0 : input[from]) &- green
                    output[to + 2] = input[at + 2] &- (isFirst ? 0 : input[from + 2]) &- green
                    guard channels == 4 else { continue }
                    output[to + 3] = input[at + 3] &- (isFirst ? 0 : input[from + 3])
                }
            }
            initialized = count * channels
        }
    }

    private static func sums(
        _ differences: [UInt8],
        size: PixelSize,
        channels: Int
    ) -> [UInt8] {
        let (count, width) = (size.pixelCount, size.width)
        return [UInt8](unsafeUninitializedCapacity: count * 4) { output, initialized in
            differences.withUnsafeBufferPointer { input in
                for index in 0..<count {
                    let (to, at) = (index * 4, index * channels)
                    let from = reference(index, width) * 4
                    let isFirst = index == 0
                    let green = input[at + 1]
                    output[to] = (isFirst ? 0 : output[from]) &+ input[at] &+ green
                    output[to + 1] = (isFirst ? 0 : output[from + 1]) &+ green
                    output[to + 2] = (isFirst ? 0 : output[from + 2]) &+ input[at + 2] &+ green
                    output[to + 3] =
                        channels == 4 ? (isFirst ? 0 : output[from + 3]) &+ input[at + 3] : 255
                }
            }
            initialized = count * 4
        }
    }
}
