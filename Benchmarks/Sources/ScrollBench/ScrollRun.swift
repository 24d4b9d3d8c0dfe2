import Decoders
import Glibc
import ImageLoading
import Measuring

/// The order of the loads of a scroll, and whether they are ever cancelled.
enum Policy: String, CaseIterable {
    /// Newest first, cancelled when they leave the screen; the next screen is loaded when scrolling
    /// stops.
    case ours = "ours"
    /// The next screen is requested at every step, in one queue with the visible images, oldest
    /// first.
    case oneLine = "one line, no priorities"
    /// Oldest first, and images that have left the screen stay in the queue.
    case neverLeft = "one line, no cancelling"
}

/// The images that were visible and when, in milliseconds since the start.
struct Sight: Sendable {
    var visible = 0..<0
    var since: [Int: Int] = [:]
    var seen: [Int: Int] = [:]
}

/// One scroll with one policy.
final class ScrollRun {
    static let columns = 6
    static let screen = 24

    private let policy: Policy
    private let urls: [String]
    private let manager: ImageManager
    private let prefetcher: ImagePrefetcher
    private let sight = Locked(Sight())
    private let begin = ContinuousClock.now
    private var operations: [Int: LoadOperation] = [:]
    private var aheadOperations: [Int: LoadOperation] = [:]
    private(set) var firsts: [Int] = []
    private(set) var waits: [Int] = []

    init(_ policy: Policy, urls: [String]) {
        self.policy = policy
        self.urls = urls
        var configuration = ImageManagerConfiguration()
        configuration.disk = nil
        configuration.downloader.order = policy == .ours ? .lastInFirstOut : .firstInFirstOut
        manager = ImageManager(configuration: configuration)
        prefetcher = ImagePrefetcher(manager: manager)
    }

    var statistics: LoadingStatistics { manager.statistics }
    var seenCount: Int { sight.withLock { $0.seen.count } }

    private var now: Int {
        let (seconds, attoseconds) = begin.duration(to: .now).components
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }

    func run(_ steps: [TraceStep]) {
        show(row: 0)
        wait(4000)
        var row = 0
        for step in steps {
            if step.isRest {
                rest(step.milliseconds)
            } else {
                wait(step.milliseconds)
                row += 1
                show(row: row)
            }
        }
        prefetcher.cancelAll()
        manager.cancelAll()
    }

    private func show(row: Int) {
        let first = row * Self.columns
        let range = first..<min(first + Self.screen, urls.count)
        let time = now
        let old = sight.withLock { sight in
            defer { sight.visible = range }
            for item in range where !sight.visible.contains(item) { sight.since[item] = time }
            return sight.visible
        }
        prefetcher.isPaused = true
        if policy != .neverLeft {
            for item in old where !range.contains(item) {
                operations.removeValue(forKey: item)?.cancel()
            }
        }
        let new = range.filter { !old.contains($0) }
        for item in policy == .ours ? new.reversed() : new { operations[item] = load(item) }
        if policy == .oneLine { wishAhead(of: range) }
    }

    private func load(_ item: Int) -> LoadOperation {
        manager.load(request(item)) { [sight, begin] event in
            guard case .finished(.success) = event else { return }
            let (seconds, attoseconds) = begin.duration(to: .now).components
            let time = Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
            sight.withLock { sight in
                guard sight.visible.contains(item) else { return }
                sight.seen[item] = sight.seen[item] ?? time
            }
        }
    }

    private func request(_ item: Int) -> ImageRequest {
        ImageRequest(url: urls[item], targetSize: PixelSize(width: 19, height: 20))
    }

    private func wishAhead(of range: Range<Int>) {
        let next = range.upperBound..<min(range.upperBound + Self.screen, urls.count)
        for (item, operation) in aheadOperations where !next.contains(item) {
            operation.cancel()
            aheadOperations[item] = nil
        }
        for item in next where aheadOperations[item] == nil {
            aheadOperations[item] = manager.load(request(item)) { _ in }
        }
    }

    private func rest(_ milliseconds: Int) {
        let arrival = now
        let end = arrival + milliseconds
        var isAhead = false
        while now < end {
            wait(20)
            guard policy == .ours, !isAhead, now > arrival + 150, isScreenFull else { continue }
            isAhead = true
            loadAhead()
        }
        note(arrival)
    }

    private var isScreenFull: Bool {
        sight.withLock { sight in sight.visible.allSatisfy { sight.seen[$0] != nil } }
    }

    private func loadAhead() {
        let start = sight.withLock { $0.visible.upperBound }
        let next = start..<min(start + Self.screen, urls.count)
        let options = PrefetchOptions(highestPriority: .normal, replacesEarlierLists: true)
        prefetcher.prefetch(next.map(request), options: options)
        prefetcher.isPaused = false
    }

    private func note(_ arrival: Int) {
        let time = now
        let sight = sight.withLock { $0 }
        for item in sight.visible {
            waits.append((sight.seen[item] ?? time) - (sight.since[item] ?? time))
        }
        let first = sight.visible.compactMap { sight.seen[$0] }.min() ?? time
        firsts.append(max(0, first - arrival))
    }

    private func wait(_ milliseconds: Int) {
        usleep(UInt32(milliseconds) * 1000)
    }
}
