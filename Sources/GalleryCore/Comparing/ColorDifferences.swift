internal import Decoders

/// The distribution of the color differences between the pixels of two images.
struct ColorDifferences {
    private static let bucketsPerUnit = 1024.0
    /// The upper limit of the histogram; differences of sRGB colors are smaller.
    private static let limit = 128

    private let pixelCount: Int
    private(set) var changedPixelCount = 0
    private var sum = 0.0
    /// The number of pixels that look equal on white.
    private var equalCount = 0
    /// The number of pixels for each range of differences above 0, all ranges 1/1024 wide.
    private var counts = [UInt32](repeating: 0, count: limit * Int(bucketsPerUnit))

    /// Compares all pixels of two images.
    init(_ pair: PixelPair) {
        pixelCount = pair.size.pixelCount
        let light = LabColor.light
        for index in 0..<pixelCount where pair.first[index] != pair.second[index] {
            changedPixelCount += 1
            let one = OpaqueColor(onWhite: pair.first[index])
            let other = OpaqueColor(onWhite: pair.second[index])
            guard one != other else {
                equalCount += 1
                continue
            }
            add(LabColor(one, light: light).difference(to: LabColor(other, light: light)))
        }
        equalCount += pixelCount - changedPixelCount
    }

    private mutating func add(_ difference: Double) {
        sum += difference
        let bucket = Int(difference * Self.bucketsPerUnit)
        counts[min(bucket, counts.count - 1)] += 1
    }

    /// The mean difference of all pixels.
    var mean: Double { pixelCount > 0 ? sum / Double(pixelCount) : 0 }

    /// Returns a percentile of the differences of all pixels, from 0 to 100.
    ///
    /// Like `numpy.percentile`, the method interpolates linearly between the two nearest pixels.
    func percentile(_ percent: Double) -> Double {
        let position = percent / 100 * Double(max(0, pixelCount - 1))
        let rank = Int(position)
        let (lower, upper) = (difference(ofRank: rank), difference(ofRank: rank + 1))
        return lower + (upper - lower) * (position - Double(rank))
    }

    /// Returns the difference of the pixel with a rank, counted from 0 for the smallest difference.
    ///
    /// The result is the middle of a range of the histogram, except for equal pixels.
    private func difference(ofRank rank: Int) -> Double {
        var below = equalCount
        guard rank >= below else { return 0 }
        for (bucket, count) in counts.enumerated() where count > 0 {
            below += Int(count)
            if rank < below { return (Double(bucket) + 0.5) / Self.bucketsPerUnit }
        }
        return 0
    }
}
