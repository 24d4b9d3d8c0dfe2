/// The DC values of the first rows of a JPEG, for comparison with an embedded thumbnail.
///
/// A thumbnail that shows a different image, crop or colors already differs in the first rows.
/// These rows are received together with the thumbnail, and reading them takes a fraction of the
/// decoding time.
struct DCBand {
    /// The maximum number of bytes of coded data that are read.
    ///
    /// In a 12-megapixel photo, this is about 3 rows of MCUs in a baseline file, or a third of the
    /// first scan of a progressive file. Rows without details take fewer bytes, so more of them are
    /// read until details are found.
    static let maximumByteCount = 64 << 10

    /// The part of a thumbnail that shows the image, in pixels.
    struct Area {
        let x: Double
        let y: Double
        let width: Double
        let height: Double
        /// Whether there are black bars above and below the area.
        ///
        /// The rows next to a bar may contain a part of it.
        var hasBars: Bool { y > 0 }
    }

    /// The maximum number of compared cells in a row.
    private static let columnCount = 16
    /// The maximum mean difference of the cells' colors.
    ///
    /// In tests, an image's own thumbnail differs by less, regardless of filter and quality, and
    /// the thumbnails of other images differ by more.
    private static let maximumMeanDifference = 10
    /// The difference above which a cell is considered to show different content.
    private static let contentDifference = 48
    /// At most one in this many cells may show different content.
    private static let cellCountPerDifferentCell = 12

    /// The minimum ratio of the power of the details to the power of the differences.
    ///
    /// In 10 photographs, the ratio was above 22 for their own thumbnails, except for a smooth image
    /// at low quality, and below 4 for cropped and mirrored thumbnails, except for a mirrored image
    /// whose first rows are symmetric.
    private static let detailsPerDifference = 10

    private let planes: DCPlanes
    private let scales: [DCScale]
    private let isRGB: Bool
    /// The number of values in an MCU for each component.
    private let factors: [PixelSize]
    /// The size of an MCU in image pixels.
    private let unit: PixelSize
    /// The size of the image in pixels.
    private let size: PixelSize
    /// The number of complete rows of MCUs, excluding a row that extends past the image.
    private let rowCount: Int

    /// Creates a band of the first `rowCount` rows of MCUs.
    ///
    /// The values must be from a scan with all components.
    init(_ planes: DCPlanes, frame: JPEGFrame, scales: [DCScale], isRGB: Bool, rowCount: Int) {
        self.planes = planes
        self.scales = scales
        self.isRGB = isRGB
        let isGray = frame.components.count == 1
        // In a scan with one component, an MCU is one block.
        factors = frame.components.map { component in
            isGray
                ? PixelSize(width: 1, height: 1)
                : PixelSize(width: component.horizontal, height: component.vertical)
        }
        unit =
            isGray
            ? PixelSize(width: 8, height: 8)
            : PixelSize(width: 8 * frame.horizontal, height: 8 * frame.vertical)
        size = frame.size
        self.rowCount = min(rowCount, frame.size.height / unit.height)
    }

    /// Returns the mean colors of the same cells in the image and in `thumbnail`, as stored.
    ///
    /// A cell is at least as high as a row of the thumbnail, rounded down to rows of MCUs. Returns
    /// nil if the band contains no complete cell.
    func cells(
        comparing thumbnail: PixelBuffer,
        _ area: Area
    ) -> (image: PixelBuffer, thumbnail: PixelBuffer)? {
        let height = max(1, Int(Double(size.height) / area.height) / unit.height)
        let first = area.hasBars ? 1 : 0
        let rows = Array(first..<max(first, rowCount / height)).map {
            $0 * height..<($0 + 1) * height
        }
        let unitCount = size.width / unit.width
        let count = min(Self.columnCount, unitCount)
        let columns = (0..<count).map { $0 * unitCount / count..<($0 + 1) * unitCount / count }
        guard !rows.isEmpty, !columns.isEmpty, let samples = samples() else { return nil }
        var (mine, others): ([UInt8], [UInt8]) = ([], [])
        for row in rows {
            for column in columns {
                mine += color(columns: column, rows: row, samples: samples) + [255]
                others +=
                    thumbnail.meanColor(in: self.area(columns: column, rows: row, of: area))
                    + [255]
            }
        }
        let grid = PixelSize(width: columns.count, height: rows.count)
        return (
            PixelBuffer(size: grid, bytes: mine, hasAlpha: false),
            PixelBuffer(size: grid, bytes: others, hasAlpha: false)
        )
    }

    /// Returns whether the cells of an image and its thumbnail have similar colors and show the same
    /// details.
    static func areSimilar(_ image: PixelBuffer, _ thumbnail: PixelBuffer) -> Bool {
        let starts = stride(from: 0, to: image.bytes.count, by: 4)
        let differences = starts.map { start in
            (start..<start + 3).reduce(0) { most, place in
                max(most, abs(Int(image.bytes[place]) - Int(thumbnail.bytes[place])))
            }
        }
        let differentCount = differences.count { $0 > contentDifference }
        return differences.reduce(0, +) <= maximumMeanDifference * differences.count
            && differentCount * cellCountPerDifferentCell <= differences.count
            && haveSameDetails(image, thumbnail)
    }

    /// Returns whether the details in the rows of the image are also in the thumbnail.
    ///
    /// The details of a row are the deviations of its cells from their mean color. In a row without
    /// details, such as a clear sky, a mirrored or cropped thumbnail looks the same, so the result
    /// is false: the thumbnail cannot be checked.
    private static func haveSameDetails(_ image: PixelBuffer, _ thumbnail: PixelBuffer) -> Bool {
        let (width, bytes) = (image.size.width, image.bytes)
        var (details, differences) = (0, 0)
        for row in stride(from: 0, to: bytes.count, by: 4 * width) {
            for channel in 0..<3 {
                let places = stride(from: row + channel, to: row + 4 * width, by: 4)
                let mean = places.reduce(0) { $0 + Int(bytes[$1]) } / width
                for place in places {
                    let (detail, level) = (Int(bytes[place]) - mean, Int(bytes[place]))
                    let difference = level - Int(thumbnail.bytes[place])
                    details += detail * detail
                    differences += difference * difference
                }
            }
        }
        return differences * detailsPerDifference <= details
    }

    // MARK: - Means

    /// Returns the samples of each component in the rows of the band, or nil if any sample is
    /// invalid.
    private func samples() -> [[UInt8]]? {
        var result: [[UInt8]] = []
        for (index, plane) in planes.planes.enumerated() {
            let count = rowCount * factors[index].height * plane.stride
            let values = planes.values[plane.start..<plane.start + count]
            guard let samples = scales[index].samples(of: values) else { return nil }
            result.append(samples)
        }
        return result
    }

    /// Returns the mean red, green and blue of a cell; the ranges are in MCUs.
    private func color(columns: Range<Int>, rows: Range<Int>, samples: [[UInt8]]) -> [UInt8] {
        let means = factors.indices.map { index -> Double in
            let (factor, stride) = (factors[index], planes.planes[index].stride)
            var sum = 0
            for row in rows.lowerBound * factor.height..<rows.upperBound * factor.height {
                let start = row * stride
                for column in columns.lowerBound * factor.width..<columns.upperBound * factor.width
                {
                    sum += Int(samples[index][start + column])
                }
            }
            let count = columns.count * rows.count * factor.width * factor.height
            return Double(sum) / Double(max(1, count))
        }
        guard means.count == 3 else { return [UInt8](repeating: Self.level(means[0]), count: 3) }
        guard !isRGB else { return means.map(Self.level) }
        let (luma, blue, red) = (means[0], means[1] - 128, means[2] - 128)
        return [
            Self.level(luma + 1.402 * red),
            Self.level(luma - 0.344_136 * blue - 0.714_136 * red),
            Self.level(luma + 1.772 * blue),
        ]
    }

    fileprivate static func level(_ value: Double) -> UInt8 {
        UInt8(max(0, min(255, value.rounded())))
    }

    /// Returns the area of a cell in the thumbnail; the ranges are in MCUs.
    private func area(columns: Range<Int>, rows: Range<Int>, of area: Area) -> Area {
        let horizontal = area.width * Double(unit.width) / Double(size.width)
        let vertical = area.height * Double(unit.height) / Double(size.height)
        return Area(
            x: area.x + horizontal * Double(columns.lowerBound),
            y: area.y + vertical * Double(rows.lowerBound),
            width: horizontal * Double(columns.count),
            height: vertical * Double(rows.count)
        )
    }
}

extension PixelBuffer {
    /// Returns the mean red, green and blue of the pixels in `area`.
    ///
    /// Each pixel is weighted by the fraction of it that is in the area.
    fileprivate func meanColor(in area: DCBand.Area) -> [UInt8] {
        let rows = Self.shares(from: area.y, length: area.height, limit: size.height)
        let columns = Self.shares(from: area.x, length: area.width, limit: size.width)
        var sums = [0.0, 0.0, 0.0]
        var total = 0.0
        for (row, rowShare) in rows {
            for (column, columnShare) in columns {
                let (start, share) = ((row * size.width + column) * 4, rowShare * columnShare)
                for channel in 0..<3 { sums[channel] += share * Double(bytes[start + channel]) }
                total += share
            }
        }
        return sums.map { DCBand.level(total > 0 ? $0 / total : 0) }
    }

    /// Returns the indices of the pixels in a range, each with the fraction of the pixel in the
    /// range.
    private static func shares(
        from start: Double,
        length: Double,
        limit: Int
    ) -> [(index: Int, share: Double)] {
        let first = max(0, min(limit - 1, Int(start)))
        let end = max(first + 1, min(limit, Int((start + length).rounded(.up))))
        return (first..<end).map { index in
            let share = min(start + length, Double(index + 1)) - max(start, Double(index))
            return (index, max(share, 0))
        }
    }
}
