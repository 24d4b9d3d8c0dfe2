/// Decides about a transfer whose received part is sufficient for all listeners, because the
/// thumbnail is final and the rest of the body would not change it.
struct EarlyStopRule: Hashable, Sendable {
    enum Decision: Hashable, Sendable {
        /// The transfer is stopped.
        case stops
        /// The transfer ends for the disk cache, because that is cheaper.
        case finishes
        /// The transfer continues as if the image were not final.
        case waits
    }

    /// The factor by which the rest of a body of unknown length is assumed to exceed the received
    /// part.
    ///
    /// The DC scans of a progressive JPEG end at a quarter of it at the latest, the third pass of
    /// an interlaced PNG at a tenth.
    static let likelyRest = 3

    /// The cost of stopping the transfer.
    var transfer: DetachRule
    /// Whether the complete body would be stored on disk.
    var keepsBody: Bool
    /// Whether the partial body can be stored, because the server supports requests for the rest.
    var keepsPartial: Bool

    var decision: Decision {
        // Visible images must be available after a restart and offline. A partial body that cannot
        // be stored would prevent that. If nothing is stored in any case, nothing is lost.
        guard keepsPartial || !keepsBody else { return .waits }
        return isRestCheap ? .finishes : .stops
    }

    private var isRestCheap: Bool {
        var transfer = transfer
        transfer.remainingByteCount =
            transfer.remainingByteCount ?? transfer.receivedByteCount * Self.likelyRest
        // A thumbnail is final early: the received part may be the server's first window, which
        // arrives at once in any case. So the round trip is counted as well.
        transfer.elapsed = max(transfer.elapsed, transfer.roundTrip ?? .zero)
        return transfer.finishes
    }
}

/// Decides whether a transfer without callers is cheaper to finish than to stop.
///
/// Stopping costs an HTTP/1.1 connection: libcurl opened 10 connections for 10 transfers stopped in
/// the body, and 1 for 10 that ended. A new connection takes one round trip, and another one with
/// TLS, so a rest that arrives within that time is received. With HTTP/2 and later, resetting a
/// stream costs nothing.
struct DetachRule: Hashable, Sendable {
    /// The minimum number of bytes for measuring a rate.
    static let leastMeasuredByteCount = 4 << 10

    /// The number of missing body bytes, or nil if unknown.
    var remainingByteCount: Int?
    /// The number of body bytes this transfer has received.
    var receivedByteCount: Int
    /// The time since the response head.
    var elapsed: Duration
    /// The round-trip time to the host, or nil if unknown.
    var roundTrip: Duration?
    /// Whether a new connection requires a TLS handshake.
    var isSecure: Bool
    /// The HTTP version, as in `TransferHead`.
    var httpVersion: String?

    /// Whether to let the transfer finish.
    var finishes: Bool {
        guard !isMultiplexed, let remaining = remainingByteCount else { return false }
        guard remaining > 0 else { return true }
        guard receivedByteCount >= Self.leastMeasuredByteCount, elapsed > .zero,
            let roundTrip
        else { return false }
        let price = roundTrip * (isSecure ? 2 : 1)
        // remaining / rate <= price, where rate = received / elapsed.
        return elapsed / price * Double(remaining) <= Double(receivedByteCount)
    }

    private var isMultiplexed: Bool { httpVersion == "2" || httpVersion == "3" }
}

/// Upper estimates of the round-trip time to each host, derived from the times to the first byte;
/// bounded in size.
///
/// These times include the server's work and, for a new connection, its handshakes. So a lower
/// value is accepted at once, and a higher one with a weight of one eighth, as in TCP's smoothed
/// round-trip time (RFC 6298).
struct HostLatencies: Sendable {
    static let capacity = 1_000

    private var roundTrips: [String: Duration] = [:]

    func roundTrip(to host: String) -> Duration? { roundTrips[host] }

    mutating func note(_ timeToFirstByte: Duration, of host: String) {
        guard let known = roundTrips[host] else {
            // All values are estimates, which are renewed within one transfer.
            if roundTrips.count >= Self.capacity { roundTrips = [:] }
            roundTrips[host] = timeToFirstByte
            return
        }
        roundTrips[host] = min(timeToFirstByte, known + (timeToFirstByte - known) / 8)
    }
}
