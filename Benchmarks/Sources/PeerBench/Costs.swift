import Measuring
import Peers

/// The costs of the programs for the images of one kind, with one run per image or one run for all.
struct Costs {
    enum Mode: String, CaseIterable {
        case alone = "a run each"
        case together = "one run"

        /// Returns the modes for a kind: if an image takes a second, the start of a program does
        /// not matter.
        static func all(for kind: PictureKind) -> [Mode] {
            [.dot, .pngLarge, .pngLargeSmooth].contains(kind) ? [.alone] : allCases
        }
    }

    private static let runs = 5

    let kind: PictureKind
    let mode: Mode
    let programs: [Program]
    private let pictureCount: Int
    /// CPU time of all images in milliseconds, by program and run.
    private var cpu: [String: [Double]] = [:]
    private var peaks: [String: Double] = [:]
    /// The number of failed runs of each program.
    private(set) var failures: [String: Int] = [:]

    init(_ kind: PictureKind, _ mode: Mode) {
        let files = Corpus.files(kind)
        self.kind = kind
        self.mode = mode
        pictureCount = files.count
        programs = ([.termgallery] + Program.peers).filter { mode == .alone || $0.takesSeveral }
        let batches = mode == .alone ? files.map { [$0] } : [files]
        for run in 0..<Self.runs {
            for program in programs { cpu[program.name, default: []].append(0) }
            for (index, batch) in batches.enumerated() { measure(batch, run, turn: run + index) }
        }
    }

    /// Runs every program once, starting with a different one each time.
    private mutating func measure(_ files: [String], _ run: Int, turn: Int) {
        for index in programs.indices {
            let program = programs[(index + turn) % programs.count]
            guard let child = ChildRun(program, files) else {
                preconditionFailure("ChildMeter can't be started")
            }
            cpu[program.name]?[run] += child.cpuMilliseconds
            peaks[program.name] = max(peaks[program.name] ?? 0, child.peakMegabytes)
            if child.exitStatus != 0 { failures[program.name, default: 0] += 1 }
        }
    }

    /// Returns the CPU time per image in milliseconds, the median of the runs.
    func milliseconds(_ program: Program) -> Double {
        (cpu[program.name]?.median ?? .nan) / Double(pictureCount)
    }

    /// Returns the largest resident size in megabytes.
    func peak(_ program: Program) -> Double { peaks[program.name] ?? .nan }

    /// Returns the cost of another program divided by ours: the median of the runs' ratios.
    func ratio(_ peer: Program) -> Double {
        zip(cpu[peer.name] ?? [], cpu[Program.termgallery.name] ?? []).map { $0 / $1 }.median
    }
}
