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

    /// Takes in how long who rests here waited: for what has no picture yet, until now.
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
