// The costs of whole programs that print images as half blocks: ours, and those of Debian.

import Measuring
import Peers

private func cell(_ costs: Costs, _ program: Program) -> String {
    guard costs.programs.contains(where: { $0.name == program.name }) else { return "-" }
    let failures = costs.failures[program.name].map { " (\($0) failed)" } ?? ""
    return costs.milliseconds(program).text() + failures
}

private func printTimes(_ all: [Costs]) {
    let programs = [.termgallery] + Program.peers
    print("CPU milliseconds a picture, of 5 runs the median\n")
    let rows = all.map { costs in
        [costs.kind.rawValue, costs.mode.rawValue] + programs.map { cell(costs, $0) }
            + [costs.ratio(.timg).text(), costs.ratio(.chafa).text()]
    }
    printTable([["", ""] + programs.map(\.name) + ["timg/ours", "chafa/ours"]] + rows)
}

private func printMemory(_ all: [Costs]) {
    let programs = [.termgallery] + Program.peers
    print("\nlargest resident size in MB, each picture in a run of its own\n")
    let rows = all.filter { $0.mode == .alone }.map { costs in
        [costs.kind.rawValue] + programs.map { costs.peak($0).text(decimals: 1) }
    }
    printTable([[""] + programs.map(\.name)] + rows)
}

for program in [.termgallery] + Program.peers {
    print("\(program.name): \(program.command.joined(separator: " ")) PICTURE…")
}
print("")

private var goals = Goals()
private var all: [Costs] = []
for kind in PictureKind.chosen where kind != .giant {
    for mode in Costs.Mode.all(for: kind) {
        let costs = Costs(kind, mode)
        PeerGoals.check(costs, &goals)
        all.append(costs)
    }
}
printTimes(all)
printMemory(all)
if PictureKind.chosen.contains(.giant) { PeerGoals.checkGiant(&goals) }
goals.printSummary()
