import Measuring
import Peers

/// The goals compared with the other programs.
enum PeerGoals {
    static func check(_ costs: Costs, _ goals: inout Goals) {
        let (timg, chafa) = (costs.ratio(.timg), costs.ratio(.chafa))
        let name = "\(costs.kind.rawValue), \(costs.mode.rawValue)"
        switch costs.kind {
        case .jpegLarge, .jpegWeb:
            goals.check("\(name), against timg", timg, atLeast: 2, unit: "×")
            goals.check("\(name), against chafa", chafa, atLeast: 6, unit: "×")
        case .progressiveLarge, .progressiveWeb:
            goals.check("\(name), against timg", timg, atLeast: 10, unit: "×")
        case .pngRGB, .pngRGBA, .pngFlat:
            goals.check("\(name), against the better", min(timg, chafa), atLeast: 2, unit: "×")
        case .pngLarge, .pngLargeSmooth:
            goals.check("\(name), against the better", min(timg, chafa), atLeast: 1.5, unit: "×")
            let peak = costs.peak(.termgallery)
            goals.check("\(name), memory", peak, under: 60, unit: " MB")
        case .pngAdam7, .pngSmall, .giant, .dot: break
        }
    }

    /// Checks an image of 900 megapixels, which must be refused unless the limit is raised, and
    /// must then need little memory.
    static func checkGiant(_ goals: inout Goals) {
        let files = Corpus.files(.giant)
        let dot = runs(.termgallery, Corpus.files(.dot))
        let refused = runs(.termgallery, files)
        let allowed = runs(.termgallery.adding(["--max-pixels", "1000"]), files)
        print("\n30000×30000 PNG, of \(allowed.count) runs the median")
        for (name, runs) in [("as it comes", refused), ("--max-pixels 1000", allowed)] {
            let memory = "\(peak(runs).text()) MB"
            let more = (peak(runs) - peak(dot)).text()
            let time = "\(runs.map(\.cpuMilliseconds).median.text()) ms of CPU"
            print("  \(name): exit status \(runs[0].exitStatus), \(time),")
            print("    \(memory), which is \(more) MB more than for one pixel")
        }
        let seconds = allowed.map(\.cpuMilliseconds).median / 1000
        goals.check("30000×30000 PNG is refused", refused.allSatisfy { $0.exitStatus != 0 })
        goals.check(
            "30000×30000 PNG is printed when allowed",
            allowed.allSatisfy { $0.exitStatus == 0 }
        )
        goals.check("  its memory", peak(allowed), under: 16, unit: " MB")
        goals.check("  its time", seconds, under: 6, unit: " s")
    }

    private static func peak(_ runs: [ChildRun]) -> Double { runs.map(\.peakMegabytes).median }

    private static func runs(_ program: Program, _ files: [String]) -> [ChildRun] {
        (0..<5).map { _ in
            guard let run = ChildRun(program, files) else {
                preconditionFailure("ChildMeter can't be started")
            }
            return run
        }
    }
}
