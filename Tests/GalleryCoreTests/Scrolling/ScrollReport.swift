/// What a scroll came to, or several of them; times in milliseconds.
struct ScrollReport: CustomStringConvertible {
    /// From coming to rest to the first picture on the screen, for each rest.
    var firsts: [Int] = []
    /// From becoming visible to its picture, for each cell on the screen at a rest.
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
