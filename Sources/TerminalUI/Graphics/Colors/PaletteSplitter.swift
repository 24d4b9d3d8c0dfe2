/// Divides the colors of an image into groups.
///
/// The mean colors of the groups are the initial palette for `Palette`. Each step cuts the group
/// whose best cut has the largest gain (Wu's criterion, applied to the colors that occur). The
/// result is close to the best possible palette.
struct PaletteSplitter {
    private struct Box {
        let range: Range<Int>
        /// The mean color; the fourth component is the weight.
        let mean: Color
        /// The amount by which the best cut reduces the sum of squared distances.
        var gain: Float = 0
        var axis = 0
        var threshold: Float = 0
    }

    private var points: [Color]
    private var boxes: [Box] = []

    /// Returns the mean color of each group, for at most `count` groups.
    static func colors(of histogram: ColorHistogram, count: Int) -> [Color] {
        guard !histogram.points.isEmpty, count > 0 else { return [] }
        var splitter = PaletteSplitter(points: histogram.points)
        splitter.split(into: count)
        return splitter.boxes.map { box in
            var color = box.mean
            color.w = 0
            return color
        }
    }

    private init(points: [Color]) {
        self.points = points
    }

    private mutating func split(into count: Int) {
        boxes.reserveCapacity(count)
        boxes.append(box(points.indices))
        while boxes.count < count {
            var widest = 0
            for index in boxes.indices where boxes[index].gain > boxes[widest].gain {
                widest = index
            }
            guard boxes[widest].gain > 0 else { return }
            let parent = boxes[widest]
            let middle = partition(parent)
            boxes[widest] = box(parent.range.lowerBound..<middle)
            boxes.append(box(middle..<parent.range.upperBound))
        }
    }

    /// Moves the points of `box` that are below its threshold to the front.
    ///
    /// Returns the index of the first point at or above the threshold.
    private mutating func partition(_ box: Box) -> Int {
        points.withUnsafeMutableBufferPointer { points in
            var middle = box.range.lowerBound
            for index in box.range where points[index][box.axis] < box.threshold {
                points.swapAt(index, middle)
                middle += 1
            }
            return middle
        }
    }

    // MARK: - The best cut

    /// The weighted sums of a group's points.
    ///
    /// The index is the upper six bits of a channel.
    private typealias Slices = [Color]

    /// Returns the group that contains the points in `range`, and its best cut.
    private func box(_ range: Range<Int>) -> Box {
        var slices = (0..<3).map { _ in Slices(repeating: .zero, count: 64) }
        var total = Color.zero
        points.withUnsafeBufferPointer { points in
            for index in range {
                let point = points[index]
                var sum = point * point.w
                sum.w = point.w
                total += sum
                slices[0][Int(point.x) >> 2] += sum
                slices[1][Int(point.y) >> 2] += sum
                slices[2][Int(point.z) >> 2] += sum
            }
        }
        var mean = total / total.w
        mean.w = total.w
        var box = Box(range: range, mean: mean)
        for axis in 0..<3 { Self.improve(&box, axis: axis, slices[axis], total: total) }
        return box
    }

    /// Finds the best cut along `axis`, and records it if its gain is larger than the recorded
    /// gain.
    ///
    /// The gain of a cut into parts with means a and b is |a − b|² · weight(a) · weight(b) /
    /// (weight(a) + weight(b)). This equals the difference of the sums of squares but avoids the
    /// loss of precision of a subtraction.
    private static func improve(_ box: inout Box, axis: Int, _ slices: Slices, total: Color) {
        var low = Color.zero
        for index in 0..<63 {
            low += slices[index]
            let high = total - low
            guard slices[index].w > 0, high.w > 0.5 else { continue }
            var difference = low / low.w - high / high.w
            difference.w = 0
            let gain = (difference * difference).sum() * (low.w * high.w / total.w)
            guard gain > box.gain else { continue }
            (box.gain, box.axis, box.threshold) = (gain, axis, Float((index + 1) << 2))
        }
    }
}
