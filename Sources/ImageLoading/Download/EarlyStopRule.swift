/// What becomes of a transfer when what has come is enough for all who listen: the thumbnail is
/// final, and more of the body would not change it.
struct EarlyStopRule: Hashable, Sendable {
    enum Decision: Hashable, Sendable {
        /// It is broken off.
        case stops
        /// It ends for the disk, for that is cheaper.
        case finishes
        /// It continues as if nothing were final.
        case waits
    }

    /// Of a body whose length is not announced at least so many times as much is still to come: a
    /// progressive JPEG's DC scans end at a quarter of it at the latest, an interlaced PNG's third
    /// pass at a tenth.
    static let likelyRest = 3

    /// What breaking it off costs.
    var transfer: DetachRule
    /// Whether the whole body would be kept on disk.
    var keepsBody: Bool
    /// Whether what has come can be: the server has the means to ask for the rest.
    var keepsPartial: Bool

    var decision: Decision {
        // What was on the screen is to be there after a restart and offline. A partial body that
        // can't be kept takes that away; where nothing is kept in any case there is nothing to
        // lose.
        guard keepsPartial || !keepsBody else { return .waits }
        return isRestCheap ? .finishes : .stops
    }

    private var isRestCheap: Bool {
        var transfer = transfer
        transfer.remainingByteCount =
            transfer.remainingByteCount ?? transfer.receivedByteCount * Self.likelyRest
        // A thumbnail is final early: what has come may be the server's first window, which is
        // there at once at any rate, so count the round trip that it took.
        transfer.elapsed = max(transfer.elapsed, transfer.roundTrip ?? .zero)
        return transfer.finishes
    }
}

/// Whether a transfer that nobody waits for any more is cheaper to finish than to break off.
///
/// Breaking off costs an HTTP/1.1 connection: libcurl opened 10 for 10 transfers given up mid-body
/// and 1 for 10 that ended. A new one takes a round trip, and another one over TLS; so what comes
/// in within that time may as well come. Over HTTP/2 and later a stream is reset at no price.
struct DetachRule: Hashable, Sendable {
    /// A rate measured on less than this says nothing.
    static let leastMeasuredByteCount = 4 << 10

    /// Body bytes still to come; nil if unknown.
    var remainingByteCount: Int?
    /// Body bytes of this transfer so far.
    var receivedByteCount: Int
    /// How long they took, from the head on.
    var elapsed: Duration
    /// One round trip to the host; nil if unknown.
    var roundTrip: Duration?
    /// Whether a new connection has a TLS handshake.
    var isSecure: Bool
    /// As in `TransferHead`.
    var httpVersion: String?

    /// Whether to let it end.
    var finishes: Bool {
        guard !isMultiplexed, let remaining = remainingByteCount else { return false }
        guard remaining > 0 else { return true }
        guard receivedByteCount >= Self.leastMeasuredByteCount, elapsed > .zero,
            let roundTrip
        else { return false }
        let price = roundTrip * (isSecure ? 2 : 1)
        // remaining / rate <= price, with rate = received / elapsed.
        return elapsed / price * Double(remaining) <= Double(receivedByteCount)
    }

    private var isMultiplexed: Bool { httpVersion == "2" || httpVersion == "3" }
}

/// How long a round trip to each host takes at most, estimated from times to the first byte;
/// bounded.
///
/// Such a time holds the server's work too, and that of a new connection its handshakes. So a lower
/// one is believed at once, and a higher one by an eighth, as in the smoothed round trip of TCP
/// (RFC 6298).
struct HostLatencies: Sendable {
    static let capacity = 1_000

    private var roundTrips: [String: Duration] = [:]

    func roundTrip(to host: String) -> Duration? { roundTrips[host] }

    mutating func note(_ timeToFirstByte: Duration, of host: String) {
        guard let known = roundTrips[host] else {
            // All of them are guesses, and made again within one transfer.
            if roundTrips.count >= Self.capacity { roundTrips = [:] }
            roundTrips[host] = timeToFirstByte
            return
        }
        roundTrips[host] = min(timeToFirstByte, known + (timeToFirstByte - known) / 8)
    }
}
