/// How long a round trip to each host takes at most, estimated from times to the first byte; bounded.
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
