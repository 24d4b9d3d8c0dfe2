import Decoders

/// A progressive JPEG with enough pixels for its thumbnails to be decoded from the DC scans.
enum ProgressiveFile {
    static let size = PixelSize(width: 480, height: 360)

    static func bytes() throws -> [UInt8] {
        let pixels = (0..<size.pixelCount).flatMap { index -> [UInt8] in
            let (x, y) = (index % size.width, index / size.width)
            return [UInt8(x / 2), UInt8(y / 2), UInt8(x &* y & 0xFF), 255]
        }
        return try JPEGEncoder.encode(
            PixelBuffer(size: size, bytes: pixels, hasAlpha: false),
            quality: 90,
            progressive: true
        )
    }

    /// Returns the position of the marker after the first scan.
    static func firstScanEnd(of bytes: [UInt8]) -> Int? {
        let starts = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
        guard let start = starts.first else { return nil }
        return bytes.indices.dropLast().first { offset in
            offset > start + 1 && bytes[offset] == 0xFF && bytes[offset + 1] != 0
        }
    }
}
