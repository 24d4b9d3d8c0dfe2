import ImageLoadingTesting

@testable import Feeds
@testable import ImageLoading

/// A server in virtual time: each answer begins after a latency, and each connection carries so
/// many bytes a millisecond.
///
/// A connection on which a transfer was broken off is lost, and the next one has to be opened.
struct SlowServer {
    private struct Transfer {
        let id: TransferID
        let byteCount: Int
        /// When its first byte comes.
        let firstByte: Int
    }

    private let latency = 300
    private let connectTime = 100
    private var idleConnections = 0
    private let bytesPerMillisecond = 200
    private var sizes: [String: Int] = [:]
    private var running: [Transfer] = []
    /// Body bytes sent by transfers that are over.
    private(set) var bytesSent = 0
    private(set) var transferCount = 0
    private(set) var connectionCount = 0
    private(set) var mostAtOnce = 0

    /// Offers pictures of 20 to 120 kB.
    init(urls: [String], seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for url in urls { sizes[url] = Int.random(in: 20_000...120_000, using: &random) }
    }

    /// Bytes of all pictures.
    var totalByteCount: Int { sizes.values.reduce(0, +) }

    mutating func start(_ request: TransferRequest, at time: Int) {
        let isConnected = idleConnections > 0
        if isConnected { idleConnections -= 1 } else { connectionCount += 1 }
        let firstByte = time + latency + (isConnected ? 0 : connectTime)
        let byteCount = sizes[request.url] ?? 0
        running.append(Transfer(id: request.id, byteCount: byteCount, firstByte: firstByte))
        transferCount += 1
        mostAtOnce = max(mostAtOnce, running.count)
    }

    /// Breaks a transfer off: what has been sent by then was sent for nothing.
    mutating func cancel(_ id: TransferID, at time: Int) {
        guard let place = running.firstIndex(where: { $0.id == id }) else { return }
        bytesSent += sent(by: running.remove(at: place), at: time)
    }

    /// Removes and returns the transfer that was completed first, or nil if all are incomplete.
    mutating func takeComplete(at time: Int) -> TransferID? {
        let complete = running.filter { sent(by: $0, at: time) == $0.byteCount }
        guard let first = complete.min(by: { end(of: $0) < end(of: $1) }) else { return nil }
        running.removeAll { $0.id == first.id }
        bytesSent += first.byteCount
        idleConnections += 1
        return first.id
    }

    private func sent(by transfer: Transfer, at time: Int) -> Int {
        max(0, min(transfer.byteCount, (time - transfer.firstByte) * bytesPerMillisecond))
    }

    private func end(of transfer: Transfer) -> Int {
        transfer.firstByte + transfer.byteCount / bytesPerMillisecond
    }
}
