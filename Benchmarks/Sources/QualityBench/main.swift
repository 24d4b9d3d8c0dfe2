// The similarity of printed images to the original: the output of each program is read back from
// its escape sequences, and compared with an average of the full image in linear light.

import Measuring
import Peers

/// The kinds that are printed as half blocks; the other kinds have the same images, or
/// transparency.
private let kinds = [PictureKind.jpegLarge, .jpegWeb, .progressiveWeb, .pngRGB, .pngSmall]
private let programs = [.termgallery] + Program.peers

private func measureHalfBlocks(_ goals: inout Goals) {
    var all = Scores(names: programs.map(\.name))
    var rows: [[String]] = []
    for kind in PictureKind.chosen where kinds.contains(kind) {
        var scores = Scores(names: programs.map(\.name))
        for path in Corpus.files(kind) {
            guard let original = Reference(path) else { continue }
            for program in programs {
                let picture = Printout.of(path, by: program)
                let likeness = picture.flatMap { Likeness.ofHalfBlocks($0, to: original) }
                scores.add(likeness, for: program.name)
            }
        }
        rows.append([kind.rawValue] + scores.texts)
        all.add(scores)
    }
    rows.append(["all"] + all.texts)
    print("half blocks in 40×20 cells, median (worst) in dB\n")
    printTable([[""] + programs.map(\.name)] + rows)
    let ours = all.median(Program.termgallery.name)
    goals.check("half blocks, median", ours, atLeast: 43, unit: " dB")
    for peer in Program.peers {
        let lead = ours - all.median(peer.name)
        goals.check("half blocks, ahead of \(peer.name)", lead, atLeast: 0, unit: " dB")
    }
}

/// Measures on a shape that images of 3:2 fill exactly with each kind of block.
private func measureSymbols(_ goals: inout Goals) {
    let sets = ["half", "quadrants", "sextants", "octants"]
    var scores = Scores(names: sets)
    for path in Corpus.files(.jpegWeb) {
        guard let original = Reference(path) else { continue }
        for set in sets {
            let picture = Printout.of(path, by: .termgallery(size: "36x12", symbols: set))
            scores.add(picture.map { Likeness.ofBlocks($0, to: original) }, for: set)
        }
    }
    let kind = PictureKind.jpegWeb.rawValue
    print("\n\(kind) in 36×12 cells, at 12×24 pixels a cell, median (worst) in dB\n")
    printTable([[""] + sets, [kind] + scores.texts])
    for set in sets.dropFirst() {
        let lead = scores.median(set) - scores.median("half")
        goals.check("\(set), ahead of half blocks", lead, atLeast: 0.01, unit: " dB")
    }
}

/// Measures whether hues survive 256 colors: dark hues are far from all entries except the grays.
private func measure256Colors(_ goals: inout Goals) {
    var rows: [[String]] = []
    var means: [String: Double] = [:]
    let originals = Corpus.files(.jpegWeb).compactMap { path in
        Reference(path).map { (path, $0) }
    }
    for program in Program.in256Colors {
        let looks = originals.compactMap { path, original in
            Printout.of(path, by: program).flatMap {
                EyeLikeness(ofHalfBlocks: $0, to: original)
            }
        }
        func mean(_ value: KeyPath<EyeLikeness, Double>) -> Double {
            looks.map { $0[keyPath: value] }.reduce(0, +) / Double(looks.count)
        }
        means[program.name] = mean(\.mean)
        let values = [\EyeLikeness.mean, \.high, \.chroma, \.gain].map { mean($0).text() }
        rows.append([program.name] + values + ["\(looks.count)"])
    }
    print(
        "\n256 colors, \(PictureKind.jpegWeb.rawValue) in 40×20 cells seen from afar, in OKLab\n"
    )
    printTable([["", "mean ΔE", "95 %", "chroma off", "chroma gained", "pictures"]] + rows)
    let ours = means["diffusion"] ?? .infinity
    for peer in Program.peers {
        let lead = (means[peer.name] ?? .infinity) - ours
        goals.check("256 colors, nearer than \(peer.name)", lead, atLeast: 0, unit: "")
    }
}

private var goals = Goals()
measureHalfBlocks(&goals)
if PictureKind.chosen.contains(.jpegWeb) {
    measureSymbols(&goals)
    measure256Colors(&goals)
}
goals.printSummary()
