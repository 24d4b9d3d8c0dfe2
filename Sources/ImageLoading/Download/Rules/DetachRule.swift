/// Whether a transfer that nobody waits for any more is cheaper to finish than to break off (fact
/// P9, idea 5).
///
/// Breaking off costs an HTTP/1.1 connection: libcurl opened 10 for 10 transfers given up mid-body
/// and 1 for 10 that ended. A new one takes a round trip, and another one over TLS; so what comes in
/// within that time may as well come. Over HTTP/2 and later a stream is reset at no price.
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
