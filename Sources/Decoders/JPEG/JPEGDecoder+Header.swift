/// A decoder that can tell what most headers say without a library, and so without a process of its own.
package protocol HeaderReader: ImageDecoder {
    /// What the header says, where it is one of the usual kind: the same as `probe`, in microseconds
    /// however large the file is. Nil leaves the file to `probe`.
    ///
    /// Of the header only what this needs is judged: tables that are broken show when it is decoded.
    func plainHeader(_ bytes: UnsafeBufferPointer<UInt8>) -> ImageProperties?
}

extension JPEGDecoder: HeaderReader {
    /// Where a header of the usual kind has ended: behind EXIF and a colour profile.
    private static let longestHeader = 128 << 10

    package func plainHeader(_ bytes: UnsafeBufferPointer<UInt8>) -> ImageProperties? {
        guard bytes.count > 2, bytes[0] == 0xFF, bytes[1] == 0xD8 else { return nil }
        let file = UnsafeBufferPointer(rebasing: bytes.prefix(Self.longestHeader))
        var metadata = JPEGMetadata(file)
        var segments = JPEGSegments()
        var frame: Frame?
        while case .segment(let segment) = segments.next(in: file), segments.isInOrder {
            switch segment.marker {
            // Baseline, extended and progressive, by Huffman's codes.
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

    /// A frame of eight bits a sample, in grey or in three colours.
    private struct Frame {
        /// libjpeg's JPEG_MAX_DIMENSION.
        private static let longestSide = 65_500

        private let size: PixelSize
        private let isProgressive: Bool

        /// Nil of any other frame.
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
