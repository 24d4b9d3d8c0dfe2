/// What becomes of a transfer when what has come is enough for all who listen: the thumbnail is
/// final, and more of the body would not change it (idea 1, facts P9 to P11).
struct EarlyStopRule: Hashable, Sendable {
    enum Decision: Hashable, Sendable {
        /// It is broken off.
        case stops
        /// It ends for the disk, for that is cheaper.
        case finishes
        /// It goes on as if nothing were final.
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
        // What was on the screen is to be there after a restart and offline. A beginning that can't
        // be kept takes that away; where nothing is kept in any case there is nothing to lose.
        guard keepsPartial || !keepsBody else { return .waits }
        return isRestCheap ? .finishes : .stops
    }

    private var isRestCheap: Bool {
        var transfer = transfer
        transfer.remainingByteCount =
            transfer.remainingByteCount ?? transfer.receivedByteCount * Self.likelyRest
        // A thumbnail is final early: what has come may be the server's first window, which is there
        // at once at any rate, so count the round trip that it took.
        transfer.elapsed = max(transfer.elapsed, transfer.roundTrip ?? .zero)
        return transfer.finishes
    }
}
