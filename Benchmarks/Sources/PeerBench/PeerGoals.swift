import Measuring
import Peers

/// What was promised against the peers.
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
        case .pngAdam7, .giant, .dot: break
        }
    }

    /// A picture of 900 MP: refused unless the limit is raised, and then no burden.
    static func checkGiant(_ goals: inout Goals) {
        let files = Corpus.files(.giant)
        guard let dot = ChildRun(.termgallery, Corpus.files(.dot)),
            let refused = ChildRun(.termgallery, files),
            let allowed = ChildRun(.termgallery.adding(["--max-pixels", "1000"]), files)
        else { preconditionFailure("ChildMeter can't be started") }
        print("\n30000×30000 PNG")
        for (name, run) in [("as it comes", refused), ("--max-pixels 1000", allowed)] {
            let memory = "\(run.peakMegabytes.text()) MB"
            let more = (run.peakMegabytes - dot.peakMegabytes).text()
            let time = "\(run.cpuMilliseconds.text()) ms of CPU"
            print("  \(name): exit status \(run.exitStatus), \(time),")
            print("    \(memory), which is \(more) MB more than for one pixel")
        }
        goals.check("30000×30000 PNG is refused", refused.exitStatus != 0)
        goals.check("30000×30000 PNG is printed when allowed", allowed.exitStatus == 0)
        goals.check("  its memory", allowed.peakMegabytes, under: 16, unit: " MB")
        goals.check("  its time", allowed.cpuMilliseconds / 1000, under: 6, unit: " s")
    }
}
