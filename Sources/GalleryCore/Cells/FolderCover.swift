package import Decoders
package import TerminalUI

/// A namespace for composing the cover of a folder from its first images.
package enum FolderCover {
    /// Returns the areas of a cover of `count` images, from left to right and from top to bottom.
    ///
    /// Adjacent areas are `gap` pixels apart.
    package static func areas(count: Int, in size: PixelSize, gap: Int) -> [PixelRect] {
        let width = max(1, (size.width - gap) / 2)
        let height = max(1, (size.height - gap) / 2)
        let right = min(size.width, width + gap)..<size.width
        let bottom = min(size.height, height + gap)..<size.height
        let (left, top) = (0..<width, 0..<height)
        let (columns, rows) = (0..<size.width, 0..<size.height)
        let areas: [(Range<Int>, Range<Int>)] =
            switch count {
            case ...0: []
            case 1: [(columns, rows)]
            case 2: [(left, rows), (right, rows)]
            case 3: [(left, rows), (right, top), (right, bottom)]
            default: [(left, top), (right, top), (left, bottom), (right, bottom)]
            }
        return areas.map { columns, rows in
            PixelRect(
                x: columns.lowerBound,
                y: rows.lowerBound,
                width: columns.count,
                height: rows.count
            )
        }
    }

    /// Returns a cover in which each image is cropped to fill its area.
    ///
    /// The gaps between the images have the color `ground`. Returns nil if there are no images.
    package static func composed(
        of images: [PixelBuffer],
        size: PixelSize,
        gap: Int,
        ground: RGB
    ) -> PixelBuffer? {
        let images = images.filter { !$0.size.isEmpty }
        guard !images.isEmpty, !size.isEmpty else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size.pixelCount * 4)
        let color = [ground.red, ground.green, ground.blue, 255].map(UInt8.init(clamping:))
        for _ in 0..<size.pixelCount { bytes += color }
        for (image, area) in zip(images, areas(count: images.count, in: size, gap: gap)) {
            let areaSize = PixelSize(width: area.width, height: area.height)
            guard !areaSize.isEmpty else { continue }
            let pixels = image.resampled(to: areaSize, from: image.size.crop(filling: areaSize))
            for row in 0..<area.height {
                let start = ((area.y + row) * size.width + area.x) * 4
                let source = row * area.width * 4
                bytes.replaceSubrange(
                    start..<start + area.width * 4,
                    with: pixels.bytes[source..<source + area.width * 4]
                )
            }
        }
        return PixelBuffer(size: size, bytes: bytes, hasAlpha: images.contains(where: \.hasAlpha))
    }
}
