import Foundation
import Peers

/// An image at full size, decoded by ImageMagick, and its exact reductions.
struct Reference {
    private let width: Int
    private let height: Int
    /// Red, green and blue, row by row.
    private let samples: [UInt8]

    /// Creates a reference; nil if ImageMagick cannot read the file.
    init?(_ path: String) {
        let decoder = Program(name: "ImageMagick", command: ["convert"])
        let arguments = [path, "-quiet", "-auto-orient", "-depth", "8", "ppm:-"]
        guard let run = ChildRun(decoder, arguments, keepsOutput: true), run.exitStatus == 0,
            let header = String(bytes: run.output.prefix(32), encoding: .isoLatin1)
        else { return nil }
        // "P6\n1200 800\n255\n"
        let fields = header.split(maxSplits: 4, whereSeparator: \.isWhitespace)
        guard fields.count == 5, fields[0] == "P6", fields[3] == "255",
            let width = Int(fields[1]), let height = Int(fields[2])
        else { return nil }
        let count = width * height * 3
        guard run.output.count > count else { return nil }
        (self.width, self.height) = (width, height)
        samples = Array(run.output.suffix(count))
    }

    /// Returns the image at a smaller size: each pixel is the mean, in linear light, of the area
    /// that it covers, as unrounded sRGB values from 0 to 255.
    func averaged(toWidth targetWidth: Int, height targetHeight: Int) -> [Double] {
        precondition(targetWidth <= width && targetHeight <= height, "enlarging is no average")
        let columns = AreaShare.all(from: width, to: targetWidth)
        let rows = AreaShare.all(from: height, to: targetHeight)
        var sums = [Double](repeating: 0, count: targetWidth * targetHeight * 3)
        samples.withUnsafeBufferPointer { samples in
            for (row, rowShare) in rows.enumerated() {
                let line = UnsafeBufferPointer(rebasing: samples[(row * width * 3)...])
                let sum = Self.reduce(line, columns, targetWidth)
                let (first, second) = (rowShare.first, rowShare.second)
                for index in sum.indices {
                    sums[rowShare.target * targetWidth * 3 + index] += sum[index] * first
                    guard second > 0 else { continue }
                    sums[(rowShare.target + 1) * targetWidth * 3 + index] += sum[index] * second
                }
            }
        }
        return sums.map(SRGB.encoded)
    }

    /// Reduces one row; each source pixel is weighted by the area that it covers.
    private static func reduce(
        _ line: UnsafeBufferPointer<UInt8>,
        _ columns: [AreaShare],
        _ targetWidth: Int
    ) -> [Double] {
        var sum = [Double](repeating: 0, count: targetWidth * 3)
        sum.withUnsafeMutableBufferPointer { sum in
            for (column, share) in columns.enumerated() {
                for channel in 0..<3 {
                    let light = SRGB.linear[Int(line[column * 3 + channel])]
                    sum[share.target * 3 + channel] += light * share.first
                    guard share.second > 0 else { continue }
                    sum[share.target * 3 + 3 + channel] += light * share.second
                }
            }
        }
        return sum
    }
}
