import Foundation
import PrintedArt

/// The similarity of a printed image to the original in decibels: the peak signal-to-noise ratio of
/// the sRGB values of all channels.
enum Likeness {
    /// Returns the similarity of half blocks, at the resolution at which they were printed.
    static func ofHalfBlocks(_ picture: PrintedPicture, to original: Reference) -> Double? {
        // A cell has 2×12 pixels, so half a cell has 2×6.
        guard let picture = picture.reduced(by: 2, 6) else { return nil }
        let wanted = original.averaged(toWidth: picture.width, height: picture.height)
        return decibels(picture.pixels, wanted)
    }

    /// Returns the similarity of any blocks, at 12×24 pixels per cell.
    static func ofBlocks(_ picture: PrintedPicture, to original: Reference) -> Double {
        let (width, height) = (picture.width * 6, picture.height * 2)
        let wanted = original.averaged(toWidth: width, height: height)
        let pixels = (0..<width * height).map { index in
            picture.pixels[index / width / 2 * picture.width + index % width / 6]
        }
        return decibels(pixels, wanted)
    }

    private static func decibels(_ pixels: [Color], _ wanted: [Double]) -> Double {
        var sum = 0.0
        for (index, color) in pixels.enumerated() {
            for (channel, value) in [color.red, color.green, color.blue].enumerated() {
                let error = Double(value) - wanted[index * 3 + channel]
                sum += error * error
            }
        }
        return 10 * log10(255 * 255 / max(sum / Double(wanted.count), 1e-9))
    }
}
