/// Decides which queries to send to the terminal, when to send them, and which replies to use.
///
/// This type has no side effects. The queries are sent in rounds. A round starts after a frame is
/// painted, so the queries do not delay the frame. The gallery starts a round when it takes over
/// the screen and when the screen size changes, because a tmux session may have moved to another
/// terminal. A round ends with the reply to its last query, which every terminal answers.
struct QueryRounds: Sendable {
    /// The replies from the last completed round of queries, including late replies.
    package private(set) var replies = TerminalReplies()
    /// The size of the screen when the last round of queries started.
    private(set) var askedScreen: ScreenSize?
    /// The replies received in the current round of queries.
    private(set) var collected = TerminalReplies()

    private let queries: TerminalQueries
    private var isWanted = true
    private var hasPainted = false
    private var round = Round.none
    private var askedAt: Duration?
    private var lastProgress = Duration.zero
    private var isAskedTwice = false
    /// Whether the widths of symbols have been measured.
    ///
    /// They are measured only once because images may later cover the cells used for measuring.
    private var hasMeasured = false
    private var isLeaving = false
    /// The time from the last round's queries to the first reply, or nil before the first reply.
    private(set) var roundTrip: Duration?
    /// Whether a round of queries waits longer for replies in case the connection is slow.
    ///
    /// The longer wait is harmless if the program has nothing else to do.
    private let waitsForSlowLine: Bool

    private enum Round: Equatable {
        case none
        /// The round is waiting for this number of replies to the `attributes` query.
        ///
        /// `attributes` is the last query in each group.
        case awaiting(Int)
        /// The wait for this number of replies to `attributes` has timed out, but late replies are
        /// still accepted.
        case late(Int)

        var isLate: Bool { if case .late = self { true } else { false } }
        var isComplete: Bool { self == .awaiting(0) || self == .late(0) }

        /// Adds `change` to the number of missing replies.
        mutating func count(_ change: Int) {
            switch self {
            case .none: break
            case .awaiting(let count): self = .awaiting(count + change)
            case .late(let count): self = .late(count + change)
            }
        }
    }

    /// The minimum time between two rounds of queries.
    ///
    /// While the user drags the border of a window, its size changes many times per second.
    private static let pause = Duration.seconds(1)
    /// The minimum time between two rounds of queries if the second round starts because the user
    /// typed in tmux.
    ///
    /// This is longer than `pause` because it takes a user more time to move a session to another
    /// terminal.
    private static let tmuxPause = Duration.seconds(10)
    /// The time to wait for the next reply before using the replies received so far.
    private static let patience = Duration.milliseconds(500)
    /// The time after the start of a round during which an Escape byte may start a reply.
    private static let latest = Duration.seconds(10)
    /// The minimum time to wait for replies before returning the terminal to the shell.
    private static let farewell = Duration.milliseconds(300)
    /// The maximum time to wait for replies over a slow connection.
    static let slowLine = Duration.seconds(2)

    /// Creates an object that sends `queries` in rounds.
    ///
    /// If `waitsForSlowLine` is true, a round waits up to 2 seconds for its first reply, and then
    /// twice the measured round-trip time for each following reply.
    init(_ queries: TerminalQueries, waitsForSlowLine: Bool = false) {
        self.queries = queries
        self.waitsForSlowLine = waitsForSlowLine
    }

    // MARK: Events

    /// Records that a frame was painted, so queries may be sent from now on.
    mutating func painted() {
        hasPainted = true
    }

    /// Requests a new round of queries.
    ///
    /// Call this method after the screen is resized, or after the gallery takes over the screen
    /// again. In both cases, the terminal may have changed.
    package mutating func changed() {
        isWanted = true
    }

    /// Records that the user has typed; in tmux, this may start a new round.
    ///
    /// The tmux session may have moved to another terminal of the same size since the last round,
    /// and nothing else reveals such a move.
    package mutating func typed(now: Duration) {
        guard let askedAt, now >= askedAt + Self.tmuxPause, replies.name?.is("tmux") == true else {
            return
        }
        isWanted = true
    }

    /// Stops sending queries; call this method before the screen is released.
    package mutating func leaving() {
        isLeaving = true
    }

    /// Ends the round of queries; call this method after the screen is released.
    ///
    /// Missing replies are no longer expected.
    package mutating func left() {
        (hasPainted, isWanted, isLeaving, round) = (false, true, false, .none)
    }

    /// Starts a round of queries if one is due, and returns the queries to write, or an empty
    /// array.
    package mutating func due(now: Duration, screen: ScreenSize) -> [TerminalQuery] {
        guard let time = nextRound, now >= time, !queries.first.isEmpty else { return [] }
        collected = TerminalReplies(keepingFrom: replies)
        (isWanted, isAskedTwice, round) = (false, false, .awaiting(1))
        (askedAt, lastProgress, askedScreen, roundTrip) = (now, now, screen, nil)
        let measures = !hasMeasured && screen.rows > TerminalQuery.measuredRow + 1
        hasMeasured = hasMeasured || measures
        return queries.first.filter { $0 != .signWidth || measures }
    }

    /// Processes a reply from the terminal, and returns the follow-up queries.
    package mutating func take(_ reply: TerminalReply, now: Duration) -> [TerminalQuery] {
        guard let askedAt, let query = collected.take(reply) else { return [] }
        lastProgress = now
        roundTrip = roundTrip ?? now - askedAt
        if query == .attributes { round.count(-1) }
        let isEnd = round.isComplete
        // If the replies to the first queries are late, the remaining queries are also sent late.
        let isTold = isEnd || round.isLate && [.version, .attributes].contains(query)
        let more = isTold && !isAskedTwice && !isLeaving ? queries.second(after: collected) : []
        if !more.isEmpty {
            isAskedTwice = true
            round.count(1)
        } else if isEnd {
            round = .none
        }
        if round == .none || round.isLate { replies = collected }
        return more
    }

    /// Ends the wait if no reply has arrived for half a second, and uses the replies received so
    /// far.
    ///
    /// If the round waits for a slow connection (`waitsForSlowLine`), the wait may be longer.
    package mutating func expire(now: Duration) {
        guard case .awaiting(let count) = round, now >= lastProgress + patience else { return }
        round = .late(count)
        if !collected.byQuery.isEmpty { replies = collected }
    }

    // MARK: Waiting

    private var patience: Duration {
        waitsForSlowLine ? pauseOfLine(atLeast: Self.patience) : Self.patience
    }

    /// Returns the time to wait for the next reply: twice the round-trip time, but at least `least`
    /// and at most 2 seconds.
    ///
    /// Returns 2 seconds if the round-trip time has not been measured.
    func pauseOfLine(atLeast least: Duration) -> Duration {
        roundTrip.map { min(Self.slowLine, max(least, $0 * 2)) } ?? Self.slowLine
    }

    /// The time at which `due` or `expire` must be called, or nil if no call is needed.
    var deadline: Duration? {
        let patience: Duration? =
            if case .awaiting = round { lastProgress + patience } else { nil }
        guard let next = queries.first.isEmpty ? nil : nextRound else { return patience }
        return patience.map { min($0, next) } ?? next
    }

    /// Returns whether replies to the queries of the current round may still arrive.
    func isAwaiting(now: Duration) -> Bool {
        guard round != .none, let askedAt else { return false }
        return now < askedAt + Self.latest
    }

    /// Whether the query results are final until the next round.
    ///
    /// They are final if a round was started and is no longer waiting for replies, or if there are
    /// no queries.
    package var isSettled: Bool {
        if case .awaiting = round { false } else { askedAt != nil || queries.first.isEmpty }
    }

    /// Returns how much longer to wait for replies before returning the terminal to the shell.
    ///
    /// Without this wait, the shell would receive late replies as input. Returns nil if no reply is
    /// missing or the time limit has passed.
    func farewell(now: Duration) -> Duration? {
        guard round != .none, let askedAt else { return nil }
        let pause = pauseOfLine(atLeast: Self.farewell)
        let end = min(lastProgress + pause, askedAt + Self.slowLine)
        return now < end ? end - now : nil
    }

    private var nextRound: Duration? {
        guard isWanted, hasPainted, !isLeaving else { return nil }
        guard let askedAt else { return .zero }
        // While replies are missing, no round starts, because the replies to two rounds could not
        // be told apart.
        if case .awaiting = round { return max(askedAt + Self.pause, lastProgress + patience) }
        return askedAt + Self.pause
    }
}
