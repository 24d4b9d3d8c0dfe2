/// Decides whether a transfer stops, runs to completion, or continues for its listeners after all
/// of them have received enough bytes.
///
/// The received bytes are enough if the image decoded from them is final, meaning that the rest of
/// the body would not change it.
struct EarlyStopRule: Hashable, Sendable {
    enum Decision: Hashable, Sendable {
        /// The transfer is stopped.
        case stops
        /// The transfer runs to completion for the disk cache, because that is cheaper than
        /// stopping it.
        case finishes
        /// The transfer continues as if the image were not final.
        case waits
    }

    /// The assumed ratio of missing bytes to received bytes if the length of the body is unknown.
    ///
    /// The DC scans of a progressive JPEG end within the first quarter of the file, and the third
    /// pass of an interlaced PNG ends within the first tenth.
    static let likelyRest = 3

    /// The rule that compares the cost of finishing the transfer with the cost of stopping it.
    var transfer: DetachRule
    /// Whether the complete body would be stored on disk.
    var keepsBody: Bool
    /// Whether the partial body can be stored.
    ///
    /// This is possible only if the response allows a later request for the remaining bytes.
    var keepsPartial: Bool

    var decision: Decision {
        // Visible images must be available after a restart and offline, so a transfer must not be
        // stopped if its complete body would be stored but its partial body cannot be. If neither
        // is stored, stopping loses nothing.
        guard keepsPartial || !keepsBody else { return .waits }
        return isRestCheap ? .finishes : .stops
    }

    private var isRestCheap: Bool {
        var transfer = transfer
        transfer.remainingByteCount =
            transfer.remainingByteCount ?? transfer.receivedByteCount * Self.likelyRest
        // A thumbnail can be final so early that the received part is the server's first congestion
        // window, which arrives all at once. The elapsed time therefore counts as at least one
        // round trip.
        transfer.elapsed = max(transfer.elapsed, transfer.roundTrip ?? .zero)
        return transfer.finishes
    }
}

/// Decides whether finishing a transfer without callers is cheaper than stopping it.
///
/// Stopping an HTTP/1.1 transfer closes its connection: libcurl opened 10 connections for 10
/// transfers that were stopped mid-body, and 1 connection for 10 transfers that finished. A new
/// connection takes one round trip, or two with TLS. A transfer is therefore finished if the rest
/// of its body is expected within that time. With HTTP/2 and later, stopping a transfer only resets
/// a stream, which costs nothing.
struct DetachRule: Hashable, Sendable {
    /// The minimum number of received bytes for calculating a transfer rate.
    static let leastMeasuredByteCount = 4 << 10

    var remainingByteCount: Int?
    /// The number of body bytes that this transfer has received.
    var receivedByteCount: Int
    /// The time since the response head was received.
    var elapsed: Duration
    var roundTrip: Duration?
    /// Whether a new connection requires a TLS handshake.
    var isSecure: Bool
    /// The HTTP version, as in `TransferHead`.
    var httpVersion: String?

    /// Whether to finish the transfer.
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

/// Estimates of the round-trip time to each host, based on the time to the first byte.
///
/// They are upper estimates: the time to the first byte includes the server's work and, for a new
/// connection, the handshakes. A lower value therefore replaces the estimate immediately. A higher
/// value is weighted by one eighth, as in TCP's smoothed round-trip time (RFC 6298). At most
/// `capacity` hosts are stored.
struct HostLatencies: Sendable {
    static let capacity = 1_000

    private var roundTrips: [String: Duration] = [:]

    func roundTrip(to host: String) -> Duration? { roundTrips[host] }

    mutating func note(_ timeToFirstByte: Duration, of host: String) {
        guard let known = roundTrips[host] else {
            // Dropping all estimates is harmless: one transfer from a host gives a new estimate.
            if roundTrips.count >= Self.capacity { roundTrips = [:] }
            roundTrips[host] = timeToFirstByte
            return
        }
        roundTrips[host] = min(timeToFirstByte, known + (timeToFirstByte - known) / 8)
    }
}
