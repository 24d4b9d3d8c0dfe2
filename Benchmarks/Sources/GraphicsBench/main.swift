// The cost of a thumbnail in each graphics protocol and budget, and its similarity to the original;
// for comparison, the sixels of libsixel and chafa for the same pixels.

import Decoders
import Measuring
import TerminalUI

private let pictures = Corpus.files(.jpegWeb).compactMap(Thumbnail.init)
private let budgets = [("local", GraphicsBudget.local), ("remote", GraphicsBudget.remote)]
private var goals = Goals()

print(
    "\(pictures.count) photographs at \(Thumbnail.size); kB on the line, base64 counted; medians\n"
)
private var rows = [["", "kB", "most kB", "dB", "least dB", "CPU ms"]]
for (name, budget) in budgets {
    for graphics in GraphicsProtocol.allCases {
        let costs = Costs(pictures, graphics, budget)
        rows.append(["\(graphics.rawValue), \(name)"] + costs.cells)
        let kilobytes = Double(budget.byteLimit) / 1000
        goals.check("\(graphics.rawValue), \(name)", costs.kilobytes, under: kilobytes, unit: " kB")
    }
}
for count in [256, 64, 16] {
    let theirs = Costs(pictures) { LibSixel.sixels(of: $0, colorCount: count) }
    rows.append(["img2sixel, \(count) colors"] + (theirs?.cells ?? Costs.none))
}
let chafa = Costs(pictures, Chafa.sixels)
rows.append(["chafa, sixels"] + (chafa?.cells ?? Costs.none))
printTable(rows)
goals.printSummary()
