@testable import Decoders

/// The DC grid of a JPEG from both decoders.
enum JPEGGrid {
    /// Returns the result of libjpeg at scale 1/8.
    static func libjpeg(_ file: [UInt8]) throws(ImageDecodingError) -> PixelBuffer {
        try file.withUnsafeBufferPointer { (buffer) throws(ImageDecodingError) in
            let reader = try JPEGReader(buffer)
            _ = try reader.readHeader()
            let size = try reader.start(scale: .eighth, memoryLimit: 64 << 20)
            while try reader.consumeScans(blockRowCount: 8) {}
            var bytes = [UInt8](repeating: 0, count: size.width * size.height * 4)
            var row = 0
            while row < size.height {
                row += try bytes.withUnsafeMutableBufferPointer {
                    (bytes) throws(ImageDecodingError) in
                    let rest = UnsafeMutableBufferPointer(
                        rebasing: bytes[(row * size.width * 4)...]
                    )
                    return try reader.readRows(into: rest, rowCount: size.height - row)
                }
            }
            return PixelBuffer(size: size, bytes: bytes, hasAlpha: false)
        }
    }

    /// Returns the result of the DC path, or nil if it declines.
    static func fast(_ file: [UInt8]) throws(ImageDecodingError) -> PixelBuffer? {
        guard let size = frame(of: file)?.size, size.pixelCount < 1 << 22 else { return nil }
        let properties = ImageProperties(
            format: .jpeg,
            size: size,
            orientation: 1,
            hasAlpha: false,
            isProgressive: false
        )
        guard let plan = try? DecodingPlan(properties: properties, options: DecodingOptions()),
            let decoded = try file.withUnsafeBufferPointer({ (file) throws(ImageDecodingError) in
                let header = JPEGHeaderSegments(file, readsTables: true)
                return try DCDecoder.decode(file, header: header, plan: plan)
            })
        else { return nil }
        let (image, grid) = (decoded.image, decoded.image.size)
        var bytes = [UInt8](repeating: 0, count: grid.width * grid.height * 4)
        _ = bytes.withUnsafeMutableBufferPointer { image.convert(row: 0, into: $0) }
        return PixelBuffer(size: grid, bytes: bytes, hasAlpha: false)
    }

    private static func frame(of file: [UInt8]) -> JPEGFrame? {
        file.withUnsafeBufferPointer { file in
            JPEGHeaderSegments(file, readsTables: true).tables?.frame
        }
    }

    /// Whether the frame is a progressive one.
    static func isProgressive(_ file: [UInt8]) -> Bool {
        frame(of: file)?.isProgressive ?? false
    }

    /// Returns whether chroma is subsampled in both directions, for which libjpeg uses a 2x2
    /// inverse DCT of each block.
    static func hasQuarterChroma(_ file: [UInt8]) -> Bool {
        guard let frame = frame(of: file) else { return false }
        return frame.components.contains {
            frame.horizontal > $0.horizontal && frame.vertical > $0.vertical
        }
    }

    /// Returns the maximum difference in luma, among pixels without clipped channels in either
    /// image.
    static func lumaDifference(_ one: PixelBuffer, _ other: PixelBuffer) -> Int {
        var largest = 0
        for start in stride(from: 0, to: min(one.bytes.count, other.bytes.count), by: 4) {
            let (first, second) = (one.bytes[start..<start + 3], other.bytes[start..<start + 3])
            guard (first + second).allSatisfy({ (1...254).contains($0) }) else { continue }
            largest = max(largest, abs(luma(first) - luma(second)))
        }
        return largest
    }

    private static func luma(_ pixel: ArraySlice<UInt8>) -> Int {
        let weighted = zip(pixel, [299, 587, 114]).map { Int($0) * $1 }
        return (weighted.reduce(0, +) + 500) / 1_000
    }
}
