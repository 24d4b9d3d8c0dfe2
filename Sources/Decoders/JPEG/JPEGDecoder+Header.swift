/// A decoder that can read most headers without a library, and therefore without a helper process.
package protocol HeaderReader: ImageDecoder {
    /// Returns the same properties as `probe` if the header has a common form; otherwise nil.
    ///
    /// The method takes microseconds, regardless of the file size. If it returns nil, the caller
    /// must use `probe`. Only the parts of the header that contain the properties are validated;
    /// invalid tables are detected during decoding.
    func plainHeader(_ bytes: UnsafeBufferPointer<UInt8>) -> ImageProperties?
}

extension JPEGDecoder: HeaderReader {
    /// The maximum number of bytes searched for a header, including EXIF and a color profile.
    private static let longestHeader = 128 << 10

    package func plainHeader(_ bytes: UnsafeBufferPointer<UInt8>) -> ImageProperties? {
        guard bytes.count > 2, bytes[0] == 0xFF, bytes[1] == 0xD8 else { return nil }
        let file = UnsafeBufferPointer(rebasing: bytes.prefix(Self.longestHeader))
        var metadata = JPEGMetadata(file)
        var segments = JPEGSegments()
        var frame: Frame?
        while case .segment(let segment) = segments.next(in: file), segments.isInOrder {
            switch segment.marker {
            // Baseline, extended and progressive with Huffman codes.
            case 0xC0...0xC2:
                guard frame == nil, let found = Frame(segment, in: file) else { return nil }
                frame = found
            case 0xC3, 0xC5...0xC7, 0xC9...0xCF: return nil
            case 0xDA:
                return frame?.properties(metadata.orientation)
            default: metadata.add(segment)
            }
        }
        return nil
    }

    /// A frame header for 8-bit samples and one or three components.
    private struct Frame {
        /// The maximum side length in pixels that libjpeg supports (JPEG_MAX_DIMENSION).
        private static let longestSide = 65_500

        private let size: PixelSize
        private let isProgressive: Bool

        /// Reads the frame header; returns nil if the sample size, the number of components or the
        /// image size is not supported.
        init?(_ segment: JPEGSegments.Segment, in file: UnsafeBufferPointer<UInt8>) {
            let body = UnsafeBufferPointer(rebasing: file[segment.body])
            guard body.count >= 6, body[0] == 8, [1, 3].contains(body[5]),
                body.count == 6 + 3 * Int(body[5])
            else { return nil }
            size = PixelSize(
                width: Int(body[3]) << 8 | Int(body[4]),
                height: Int(body[1]) << 8 | Int(body[2])
            )
            isProgressive = segment.marker == 0xC2
            let sides = 1...Self.longestSide
            let areSamplingsKnown = stride(from: 7, to: body.count, by: 3).allSatisfy { place in
                (1...4).contains(body[place] >> 4) && (1...4).contains(body[place] & 15)
            }
            guard sides.contains(size.width), sides.contains(size.height), areSamplingsKnown else {
                return nil
            }
        }

        func properties(_ orientation: Orientation) -> ImageProperties {
            ImageProperties(
                format: .jpeg,
                size: orientation.apply(to: size),
                orientation: orientation.rawValue,
                hasAlpha: false,
                isProgressive: isProgressive
            )
        }
    }
}
