import Measuring
import Peers

/// What the programs cost on the pictures of one kind, each picture in a run of its own or all in
/// one run.
struct Costs {
    enum Mode: String, CaseIterable {
        case alone = "a run each"
        case together = "one run"

        /// Where a picture takes a second, nobody's start counts.
        static func all(for kind: PictureKind) -> [Mode] {
            [.dot, .pngLarge, .pngLargeSmooth].contains(kind) ? [.alone] : allCases
        }
    }

    private static let runs = 5

    let kind: PictureKind
    let mode: Mode
    let programs: [Program]
    private let pictureCount: Int
    /// CPU milliseconds of all pictures, by program and run.
    private var cpu: [String: [Double]] = [:]
    private var peaks: [String: Double] = [:]
    /// How often a program said that something went wrong.
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

    /// Every program once, each time another one first.
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

    /// CPU milliseconds a picture, of the runs the median.
    func milliseconds(_ program: Program) -> Double {
        (cpu[program.name]?.median ?? .nan) / Double(pictureCount)
    }

    /// The largest resident size in megabytes.
    func peak(_ program: Program) -> Double { peaks[program.name] ?? .nan }

    /// How many times as much as ours a peer costs: of each run, of these the median.
    func ratio(_ peer: Program) -> Double {
        zip(cpu[peer.name] ?? [], cpu[Program.termgallery.name] ?? []).map { $0 / $1 }.median
    }
}
