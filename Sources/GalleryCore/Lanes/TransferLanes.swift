internal import ImageLoading

/// The lanes that show the transfer slots: the load in each slot, and recently cancelled loads.
///
/// A running load keeps its lane until it ends. A cancelled load is shown in its lane for one
/// second, unless the next load in this lane receives its first bytes earlier. The type has no
/// clock: ages are counted in ticks.
struct TransferLanes: Equatable, Sendable {
    /// A lane, with its running load and its most recently cancelled load.
    struct Lane: Equatable, Sendable {
        /// The running load, or nil if the slot is free.
        fileprivate(set) var load: RunningLoad?
        /// The load that was cancelled within the last second.
        fileprivate(set) var broken: CancelledLoad?

        /// The cancelled load to show instead of the running load.
        ///
        /// A new load takes the slot immediately, but there is no progress to show until the server
        /// responds. The cancelled load is shown until then.
        var shownBreak: CancelledLoad? { load?.hasStarted == true ? nil : broken }

        /// Whether the lane shows neither a running nor a cancelled load.
        var isEmpty: Bool { load == nil && broken == nil }
    }

    /// A load in a lane.
    struct RunningLoad: Equatable, Sendable {
        let number: Int
        let caption: String
        fileprivate(set) var progress: LoadProgress

        /// Whether the load has received any bytes of its own.
        var hasStarted: Bool { progress.received > progress.resumedFrom }
    }

    /// A load that was cancelled while it occupied a lane.
    struct CancelledLoad: Equatable, Sendable {
        let caption: String
        /// The number of bytes that were not received, or nil if the size of the image is unknown.
        let savedByteCount: Int?
        /// The number of ticks since the load was cancelled.
        fileprivate(set) var age = 0

        /// Whether the load was cancelled within the last half second.
        var isFresh: Bool { age < TransferLanes.visibleTicks / 2 }
    }

    /// A load that has not ended.
    private struct Load: Equatable, Sendable {
        let caption: String
        /// The size of the image in bytes, or nil if it was unknown before the request.
        let byteCount: Int?
        /// Whether the image is probably in a cache because an earlier load succeeded.
        let isCached: Bool
        var stage = Stage.asked

        /// The size of the image in bytes, as reported by the server or, if not yet reported, as
        /// known in advance.
        var expected: Int? { progress?.expected ?? byteCount }

        var progress: LoadProgress? {
            if case .running(let progress) = stage { progress } else { nil }
        }
    }

    private enum Stage: Equatable, Sendable {
        /// The load was requested, and the caches are being searched.
        case asked
        /// The load is waiting for a transfer slot.
        case queued
        case running(LoadProgress)
    }

    /// The lanes, one for each transfer slot.
    private(set) var lanes: [Lane]
    /// The number of queued loads that were cancelled within the last second.
    private(set) var droppedCount = 0
    /// The number of loads cancelled since the start.
    private(set) var cancelledCount = 0
    /// The number of bytes saved by cancelling loads before their server reported a size.
    ///
    /// Only unreceived bytes are counted, and only for images whose sizes are known in advance
    /// (`Load.byteCount`). The statistics of the image loader don't include these bytes because the
    /// loader doesn't have these sizes.
    private(set) var unannouncedByteCount = 0
    /// The measured speed of completed transfers.
    private(set) var pace = TransferPace()
    private var loads: [Int: Load] = [:]
    private var dropAge = 0

    /// The number of 100 ms ticks for which a cancelled load remains visible.
    static let visibleTicks = 10

    /// Creates empty lanes, but at least one lane.
    init(count: Int) {
        lanes = Array(repeating: Lane(), count: max(1, count))
    }

    /// The number of loads that are waiting for a transfer slot.
    var queuedCount: Int { loads.values.count { $0.stage == .queued } }

    /// The number of loads that have a transfer slot.
    var runningCount: Int { loads.values.count { $0.progress != nil } }

    /// The number of loads that have not ended.
    var pendingCount: Int { loads.count }

    /// Whether a cancelled load is still visible.
    var needsTicks: Bool { droppedCount > 0 || lanes.contains { $0.broken != nil } }

    func isPending(_ load: Int) -> Bool { loads[load] != nil }

    // MARK: Events

    /// Adds a load with a new number; `byteCount` is the size of its image, if known.
    mutating func start(
        _ load: Int,
        caption: String,
        byteCount: Int? = nil,
        isCached: Bool = false
    ) {
        loads[load] = Load(
            caption: caption,
            byteCount: byteCount.map { max(0, $0) },
            isCached: isCached
        )
    }

    /// Returns whether the image size of a load was known before the request.
    func knowsSize(of load: Int) -> Bool { loads[load]?.byteCount != nil }

    /// Handles an event from a load; events from ended loads are ignored.
    mutating func take(_ event: LoadEvent, of load: Int) {
        guard loads[load] != nil else { return }
        switch event {
        case .queued, .waiting:
            loads[load]?.stage = .queued
            free(load)
        case .progress(let progress): run(load, progress)
        case .preview: break
        case .finished(.failure(let error)) where error.kind == .cancelled: cancel(load)
        case .finished(let result):
            if let progress = loads[load]?.progress, case .success(let response) = result {
                pace.take(progress, response)
            }
            loads[load] = nil
            free(load)
        }
    }

    /// Cancels a load, and returns false if it has already ended.
    @discardableResult
    mutating func cancel(_ load: Int) -> Bool {
        guard let cancelled = loads.removeValue(forKey: load) else { return false }
        cancelledCount += 1
        switch cancelled.stage {
        case .asked:
            // The caches are still being searched. An image in a cache would not be downloaded.
            if !cancelled.isCached { unannouncedByteCount += cancelled.byteCount ?? 0 }
        case .queued:
            droppedCount += 1
            dropAge = 0
            unannouncedByteCount += cancelled.byteCount ?? 0
        case .running(let progress):
            let saved = cancelled.expected.map { max(0, $0 - progress.received) }
            if progress.expected == nil { unannouncedByteCount += saved ?? 0 }
            guard let lane = lane(of: load) else { break }
            lanes[lane].load = nil
            lanes[lane].broken = CancelledLoad(caption: cancelled.caption, savedByteCount: saved)
        }
        return true
    }

    /// Handles a tick of the frame timer, and removes loads that were cancelled more than a second
    /// ago.
    mutating func tick() {
        for lane in lanes.indices {
            lanes[lane].broken?.age += 1
            let age = lanes[lane].broken?.age ?? 0
            if age >= Self.visibleTicks { lanes[lane].broken = nil }
        }
        dropAge += 1
        if dropAge >= Self.visibleTicks { droppedCount = 0 }
    }

    /// Stops showing cancelled loads.
    mutating func clearBreaks() {
        droppedCount = 0
        for lane in lanes.indices { lanes[lane].broken = nil }
    }

    // MARK: Places

    private mutating func run(_ load: Int, _ progress: LoadProgress) {
        loads[load]?.stage = .running(progress)
        if let lane = lane(of: load) {
            lanes[lane].load?.progress = progress
        } else if let place = freePlace, let caption = loads[load]?.caption {
            lanes[place].load = RunningLoad(number: load, caption: caption, progress: progress)
        }
    }

    private func lane(of load: Int) -> Int? { lanes.firstIndex { $0.load?.number == load } }

    /// The index of the first empty lane or, if no lane is empty, of the free lane with the oldest
    /// cancelled load.
    ///
    /// The value is nil if all lanes have running loads.
    private var freePlace: Int? {
        let free = lanes.indices.filter { lanes[$0].load == nil }
        return free.first { lanes[$0].broken == nil }
            ?? free.max { (lanes[$0].broken?.age ?? 0) < (lanes[$1].broken?.age ?? 0) }
    }

    private mutating func free(_ load: Int) {
        if let lane = lane(of: load) { lanes[lane].load = nil }
    }
}

/// The speed of completed transfers, including the time until each server responded.
///
/// It is used to estimate the time needed for other bytes: each slot transfers `byteCount` bytes in
/// `time`, and all slots work in parallel. Images from caches and cancelled transfers are not
/// counted.
struct TransferPace: Equatable, Sendable {
    /// The number of bytes that completed transfers have received.
    private(set) var byteCount = 0
    /// The total duration of the completed transfers, from the request to the last byte.
    private(set) var time = Duration.zero

    /// Adds a completed load.
    mutating func take(_ progress: LoadProgress, _ response: ImageResponse) {
        guard response.source == .network, let times = response.times, let answer = times.answer
        else { return }
        byteCount += max(0, progress.received - progress.resumedFrom)
        time += answer + (times.transfer ?? .zero)
    }

    /// Returns the estimated time to transfer a number of bytes, or nil if no transfer has
    /// completed yet.
    func duration(of byteCount: Int, slots: Int) -> Duration? {
        guard self.byteCount > 0, time > .zero else { return nil }
        return time * (Double(byteCount) / Double(self.byteCount) / Double(max(1, slots)))
    }
}
