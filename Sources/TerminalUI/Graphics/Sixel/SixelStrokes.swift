/// A range of columns in a band (up to six rows of pixels) in which a color occurs with only small
/// gaps.
struct SixelStroke {
    let color: UInt8
    let start: Int
    /// The column after the last column of the stroke.
    fileprivate(set) var end: Int
}

/// The strokes of one band (up to six rows of pixels).
struct SixelStrokes {
    /// The largest gap within a stroke, in columns.
    ///
    /// If a gap is larger, ending the stroke and selecting the color again takes fewer bytes.
    private static let longestGap = 5

    /// The strokes, sorted by end.
    let strokes: [SixelStroke]

    /// Collects the strokes of a band.
    ///
    /// `columns` has eight bytes per column, of which the first `rowCount` are used.
    init(_ columns: UnsafeBufferPointer<UInt8>, rowCount: Int) {
        var strokes: [SixelStroke] = []
        // The latest stroke of each color.
        var latest = [Int32](repeating: -1, count: 256)
        for x in 0..<(columns.count / SixelPixels.stride) {
            let column = x * SixelPixels.stride
            for row in 0..<rowCount {
                let color = columns[column + row]
                let stroke = Int(latest[Int(color)])
                if stroke >= 0, strokes[stroke].end + Self.longestGap >= x {
                    strokes[stroke].end = x + 1
                } else {
                    latest[Int(color)] = Int32(strokes.count)
                    strokes.append(SixelStroke(color: color, start: x, end: x + 1))
                }
            }
        }
        self.strokes = strokes.sorted {
            ($0.end, $0.start, $0.color) < ($1.end, $1.start, $1.color)
        }
    }

    /// Returns the strokes, divided into lines.
    ///
    /// The strokes of a line do not overlap and are ordered from left to right. The first line
    /// contains the longest strokes. Later lines paint over earlier ones, so an early line can
    /// consist of a few long runs that also paint pixels of later lines.
    func lines() -> [[SixelStroke]] {
        var rest = strokes
        var lines: [[SixelStroke]] = []
        while !rest.isEmpty {
            let chosen = Self.heaviest(rest)
            lines.append(chosen.map { rest[$0] })
            var kept: [SixelStroke] = []
            kept.reserveCapacity(rest.count - chosen.count)
            var start = 0
            for index in chosen {
                kept += rest[start..<index]
                start = index + 1
            }
            rest = kept + rest[start...]
        }
        return lines
    }

    /// Returns the indices of the strokes that form the line with the highest weight.
    ///
    /// `strokes` must be sorted by end.
    private static func heaviest(_ strokes: [SixelStroke]) -> [Int] {
        // The number of strokes that end at or before each column.
        var ended = [Int32](repeating: 0, count: (strokes.last?.end ?? 0) + 1)
        for stroke in strokes { ended[stroke.end] += 1 }
        for column in 1..<max(1, ended.count) { ended[column] += ended[column - 1] }
        // The weight of the best line that consists only of the first n strokes.
        var best = [Int](repeating: 0, count: strokes.count + 1)
        best.withUnsafeMutableBufferPointer { best in
            for (index, stroke) in strokes.enumerated() {
                let withIt = best[Int(ended[stroke.start])] + weight(of: stroke)
                best[index + 1] = max(best[index], withIt)
            }
        }
        var chosen: [Int] = []
        var count = strokes.count
        while count > 0 {
            if best[count] == best[count - 1] {
                count -= 1
            } else {
                chosen.append(count - 1)
                count = Int(ended[strokes[count - 1].start])
            }
        }
        return chosen.reversed()
    }

    /// Returns the weight of a stroke.
    ///
    /// A long stroke outweighs several short strokes with the same total length.
    private static func weight(of stroke: SixelStroke) -> Int {
        let length = stroke.end - stroke.start
        return length * length
    }
}
