// The cost of decoding a thumbnail of at most 40×40 pixels from bytes in memory, by our own
// decoders and by libjpeg and libpng alone; and how much of a progressive or interlaced file the
// thumbnail needs.

import Decoders
import Measuring

/// Returns how many times faster our own decoder must be, or nil if there is no goal.
private func goal(_ kind: PictureKind) -> Double? {
    switch kind {
    case .jpegLarge, .jpegWeb: 2
    case .pngRGB, .pngRGBA, .pngFlat: 1.5
    default: nil
    }
}

private func printTimes(_ goals: inout Goals) throws {
    print("CPU milliseconds a picture, 5 runs, both ways by turns\n")
    var rows = [["", "pictures", "library", "own", "ratio", "least picture"]]
    for kind in PictureKind.chosen where kind != .giant && kind != .dot {
        let contest = try Contest(kind)
        rows.append([
            kind.rawValue, "\(contest.pictureCount)", contest.libraryMilliseconds.text(decimals: 3),
            contest.ownMilliseconds.text(decimals: 3), contest.ratio.text(),
            contest.leastRatio.text(),
        ])
        guard let goal = goal(kind) else { continue }
        let what = "\(kind.rawValue), against the library"
        goals.check(what, contest.ratio, atLeast: goal, unit: "×")
    }
    printTable(rows)
}

private func printBytesNeeded() throws {
    print("\nkB of the file until its thumbnail is final, and percent of the file\n")
    var rows = [["", "median", "percent", "worst", "percent"]]
    let kinds: Set = [PictureKind.progressiveLarge, .progressiveWeb, .pngAdam7]
    for kind in PictureKind.chosen where kinds.contains(kind) {
        let needed = try BytesNeeded(kind)
        rows.append([
            kind.rawValue, needed.medianKilobytes.text(decimals: 1),
            needed.medianPercent.text(decimals: 1), needed.worstKilobytes.text(decimals: 1),
            needed.worstPercent.text(decimals: 1),
        ])
    }
    printTable(rows)
}

private var goals = Goals()
try printTimes(&goals)
try printBytesNeeded()
goals.printSummary()
