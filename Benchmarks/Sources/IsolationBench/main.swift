// The cost of decoding a thumbnail of at most 40×40 pixels in a helper process instead of the
// program itself: whole loads of local files, both ways in turn, one at a time; and the memory and
// start time of a helper.

import Decoders
import Dispatch
import ImageLoading
import Measuring

// The helpers are further instances of this program.
IsolatedDecoding.runIfAsked()

private let runs = 9

/// Creates a manager that stores nothing and decodes on one thread.
private func manager(_ isolation: DecoderIsolation) -> ImageManager {
    var configuration = ImageManagerConfiguration()
    configuration.disk = nil
    configuration.memoryByteLimit = 0
    configuration.decodeThreadCount = 1
    configuration.decodeThreadNiceness = 0
    configuration.isolation = isolation
    return ImageManager(configuration: configuration)
}

private func load(_ path: String, with manager: ImageManager) {
    let request = ImageRequest(
        url: "file://\(path)",
        targetSize: PixelSize(width: 40, height: 40)
    )
    let end = DispatchSemaphore(value: 0)
    manager.load(request) { event in
        guard case .finished(let result) = event else { return }
        if case .failure(let error) = result { preconditionFailure("\(path): \(error)") }
        end.signal()
    }
    end.wait()
}

/// Returns the milliseconds per load: elapsed time, and the time of all processors.
private func times(_ files: [String], with manager: ImageManager) -> (wall: Double, cpu: Double) {
    let clock = ContinuousClock()
    let before = Usage.now()
    let wall = clock.measure { for file in files { load(file, with: manager) } }
    let cpu = Usage.now().milliseconds - before.milliseconds
    let count = Double(files.count)
    return (wall / .milliseconds(1) / count, cpu / count)
}

private func printCosts(_ goals: inout Goals) {
    let (here, there) = (manager(.never), manager(.always))
    print("milliseconds a load, median of \(runs) runs, both ways by turns\n")
    var rows = [["", "pictures", "here", "isolated", "ratio", "CPU here", "isolated", "ratio"]]
    for kind in PictureKind.chosen where kind != .giant {
        let files = Corpus.files(kind).map(absolutePath)
        // Fills the page cache, and performs the setup of a first load.
        _ = (times(files, with: here), times(files, with: there))
        var found: [(here: (wall: Double, cpu: Double), there: (wall: Double, cpu: Double))] = []
        for run in 0..<runs {
            if run.isMultiple(of: 2) {
                let first = times(files, with: here)
                found.append((first, times(files, with: there)))
            } else {
                let first = times(files, with: there)
                found.append((times(files, with: here), first))
            }
        }
        let ratio = found.map { $0.there.wall / $0.here.wall }.median
        let cpuRatio = found.map { $0.there.cpu / $0.here.cpu }.median
        rows.append([
            kind.rawValue, "\(files.count)",
            found.map(\.here.wall).median.text(decimals: 3),
            found.map(\.there.wall).median.text(decimals: 3), ratio.text(),
            found.map(\.here.cpu).median.text(decimals: 3),
            found.map(\.there.cpu).median.text(decimals: 3), cpuRatio.text(),
        ])
        if kind != .dot {
            goals.check("\(kind.rawValue), CPU", cpuRatio, under: 1.1, unit: "×")
        }
    }
    printTable(rows)
    print("\na helper's memory after all this: \(Usage.helperMemory())")
}

/// Prints the start time of a helper: the first load of a manager needs one.
private func printStart() {
    let dot = Corpus.files(.dot).map(absolutePath)[0]
    let clock = ContinuousClock()
    let times = (0..<20).map { _ in
        let manager = manager(.always)
        let first = clock.measure { load(dot, with: manager) }
        let second = clock.measure { load(dot, with: manager) }
        return (first - second) / .milliseconds(1)
    }
    print("a helper's start: \(times.median.text()) ms")
}

private var goals = Goals()
printCosts(&goals)
printStart()
goals.printSummary()
