import Decoders

/// A JPEG as its segments, which can be damaged one by one.
struct JPEGFile {
    /// A segment; the segment of a scan includes the coded data that follow it.
    struct Segment {
        var marker: UInt8
        var body: [UInt8]
        var data: [UInt8] = []
    }

    var segments: [Segment] = []
    /// The end marker.
    var ending: [UInt8] = [0xFF, 0xD9]

    /// Splits a valid file into segments.
    init(_ bytes: [UInt8]) {
        var offset = 2
        while offset + 4 <= bytes.count, bytes[offset + 1] != 0xD9 {
            let end = offset + 2 + Int(bytes[offset + 2]) << 8 + Int(bytes[offset + 3])
            var segment = Segment(
                marker: bytes[offset + 1],
                body: Array(bytes[offset + 4..<end])
            )
            offset = end
            if segment.marker == 0xDA {
                offset = Self.endOfData(bytes, from: end)
                segment.data = Array(bytes[end..<offset])
            }
            segments.append(segment)
        }
    }

    /// Encodes a generated image: a sky, a ground, a disc.
    init(width: Int, height: Int, quality: Int, isProgressive: Bool) throws {
        var bytes: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let (dx, dy) = (x - width / 3, y - height / 3)
                let isDisc = dx * dx + dy * dy < height * height / 16
                let pixel: [UInt8] =
                    isDisc
                    ? [240, 200, 60, 255]
                    : y > height * 2 / 3
                        ? [40, 120, 50, 255] : [90, UInt8(120 + y * 60 / height), 220, 255]
                bytes += pixel
            }
        }
        let pixels = PixelBuffer(
            size: PixelSize(width: width, height: height),
            bytes: bytes,
            hasAlpha: false
        )
        self.init(
            try JPEGEncoder.encode(pixels, quality: quality, progressive: isProgressive)
        )
    }

    var bytes: [UInt8] {
        segments.reduce(into: [0xFF, 0xD8]) { file, segment in
            file += [0xFF, segment.marker] + bigEndian(segment.body.count + 2, 2)
            file += segment.body + segment.data
        } + ending
    }

    /// Returns the index of the first segment of a kind.
    func index(_ marker: UInt8) -> Int { segments.firstIndex { $0.marker == marker } ?? 0 }

    var frame: Int { segments.firstIndex { [0xC0, 0xC1, 0xC2].contains($0.marker) } ?? 0 }

    var scan: Int { index(0xDA) }

    /// Returns the bytes of a changed copy.
    func with(_ change: (inout JPEGFile) -> Void) -> [UInt8] {
        var file = self
        change(&file)
        return file.bytes
    }

    private static func endOfData(_ bytes: [UInt8], from start: Int) -> Int {
        var offset = start
        while offset + 1 < bytes.count {
            let isMarker =
                bytes[offset] == 0xFF && bytes[offset + 1] != 0
                && !(0xD0...0xD7).contains(bytes[offset + 1])
            if isMarker { return offset }
            offset += 1
        }
        return bytes.count
    }
}
