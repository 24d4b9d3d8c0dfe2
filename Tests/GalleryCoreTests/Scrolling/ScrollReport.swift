import Feeds

/// The results of one or more scrolls; times are in milliseconds.
struct ScrollReport: CustomStringConvertible {
    /// For each rest, the time from its start to the first image on the screen.
    var firsts: [Int] = []
    /// For each cell on the screen at a rest, the time from becoming visible to its image.
    var waits: [Int] = []
    /// Cells that had a picture while they were on the screen.
    var seenCount = 0
    var bytesReceived = 0
    var bytesTotal = 0
    var transferCount = 0
    var connectionCount = 0
    var mostAtOnce = 0

    var firstPicture: (median: Int, p95: Int) {
        (Self.percentile(50, of: firsts), Self.percentile(95, of: firsts))
    }

    var cellWait: (median: Int, p95: Int) {
        (Self.percentile(50, of: waits), Self.percentile(95, of: waits))
    }

    var description: String {
        "first picture \(firstPicture.median)/\(firstPicture.p95) ms, cell \(cellWait.median)/"
            + "\(cellWait.p95) ms (median/p95); \(seenCount) seen; \(bytesReceived / 1000) of "
            + "\(bytesTotal / 1000) kB, \(transferCount) transfers, \(connectionCount) connections"
    }

    static func + (left: ScrollReport, right: ScrollReport) -> ScrollReport {
        ScrollReport(
            firsts: left.firsts + right.firsts,
            waits: left.waits + right.waits,
            seenCount: left.seenCount + right.seenCount,
            bytesReceived: left.bytesReceived + right.bytesReceived,
            bytesTotal: left.bytesTotal + right.bytesTotal,
            transferCount: left.transferCount + right.transferCount,
            connectionCount: left.connectionCount + right.connectionCount,
            mostAtOnce: max(left.mostAtOnce, right.mostAtOnce)
        )
    }

    private static func percentile(_ percent: Int, of values: [Int]) -> Int {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return 0 }
        return sorted[min(sorted.count - 1, sorted.count * percent / 100)]
    }
}

/// When cells came on the screen, and when their pictures did.
struct SightLog {
    private var visible = 0..<0
    private var arrival = 0
    private var visibleSince: [Int: Int] = [:]
    private var seenAt: [Int: Int] = [:]
    private var waits: [Int] = []
    private var firsts: [Int] = []

    /// Takes the cells that are visible now; returns whether they are others than before.
    mutating func note(visible newVisible: Range<Int>, at time: Int) -> Bool {
        guard newVisible != visible else { return false }
        for item in newVisible where !visible.contains(item) { visibleSince[item] = time }
        visible = newVisible
        return true
    }

    /// Takes a picture that is shown in its cell; it may be so in the moment before the cell is
    /// noted as visible.
    mutating func noteSeen(_ item: Int, at time: Int) {
        seenAt[item] = seenAt[item] ?? time
    }

    mutating func noteArrival(at time: Int) { arrival = time }

    /// Adds the waiting time at this rest, up to now, for each visible item without an image.
    mutating func noteRest(at time: Int) {
        for item in visible {
            waits.append((seenAt[item] ?? time) - (visibleSince[item] ?? time))
        }
        let first = visible.compactMap { seenAt[$0] }.min() ?? time
        firsts.append(max(0, first - arrival))
    }

    func report(of server: SlowServer) -> ScrollReport {
        ScrollReport(
            firsts: firsts,
            waits: waits,
            seenCount: seenAt.count,
            bytesReceived: server.bytesSent,
            bytesTotal: server.totalByteCount,
            transferCount: server.transferCount,
            connectionCount: server.connectionCount,
            mostAtOnce: server.mostAtOnce
        )
    }
}
