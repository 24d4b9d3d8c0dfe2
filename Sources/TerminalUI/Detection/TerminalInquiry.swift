/// Decides which questions to ask the terminal, when to ask them, and which answers to use.
///
/// This type has no side effects. A round of questions starts after a frame was painted, so that
/// the questions don't delay the frame. Rounds start when the gallery takes over the screen and
/// when the size changes, because a tmux session may have moved to another terminal. A round ends
/// with the answer to its last question, which every terminal answers.
struct TerminalInquiry: Sendable {
    /// The answers in use: the answers of the last round, including late answers.
    package private(set) var answers = TerminalAnswers()
    /// The size of the screen at the last round.
    private(set) var askedScreen: ScreenSize?
    /// The answers received in the current round.
    private(set) var collected = TerminalAnswers()

    private let questions: TerminalQuestions
    private var isWanted = true
    private var hasPainted = false
    private var round = Round.none
    private var askedAt: Duration?
    private var lastProgress = Duration.zero
    private var isAskedTwice = false
    /// Whether the widths of symbols have been measured.
    ///
    /// They are measured only once, because images may later cover the cells used for measuring.
    private var hasMeasured = false
    private var isLeaving = false

    private enum Round: Equatable {
        case none
        /// The round waits for this number of answers to `attributes`, the last question of each
        /// group of questions.
        case awaiting(Int)
        /// The wait has ended, but late answers are still accepted.
        case late
    }

    /// The minimum time between rounds.
    ///
    /// The size of a window changes many times a second while the user drags its border.
    private static let pause = Duration.seconds(1)
    /// The minimum time between a round and the next round triggered by typing in tmux.
    ///
    /// The time is longer than `pause`, because a user needs more time to move a session to another
    /// terminal.
    private static let tmuxPause = Duration.seconds(10)
    /// The time without an answer after which the received answers are used.
    private static let patience = Duration.milliseconds(500)
    /// The time after the start of a round during which an Esc byte may be the start of an answer.
    private static let latest = Duration.seconds(10)
    /// The longest time to wait for answers before the terminal is returned to the shell.
    private static let farewell = Duration.milliseconds(300)

    init(_ questions: TerminalQuestions) {
        self.questions = questions
    }

    // MARK: Events

    /// Records that a frame was painted, so that questions may be asked from now on.
    mutating func painted() {
        hasPainted = true
    }

    /// Requests a new round because the screen was resized or taken over again, possibly on another
    /// terminal.
    package mutating func changed() {
        isWanted = true
    }

    /// Handles typing by the user, which may start a new round in tmux.
    ///
    /// Since the last round, the tmux session may have moved to another terminal of the same size,
    /// and nothing else reveals such a move.
    package mutating func typed(now: Duration) {
        guard let askedAt, now >= askedAt + Self.tmuxPause, answers.name?.is("tmux") == true else {
            return
        }
        isWanted = true
    }

    /// Stops asking questions because the screen is about to be released.
    package mutating func leaving() {
        isLeaving = true
    }

    /// Ends the round because the screen was released and missing answers will not arrive.
    package mutating func left() {
        (hasPainted, isWanted, isLeaving, round) = (false, true, false, .none)
    }

    /// Returns the questions to write now, if a round is due.
    package mutating func due(now: Duration, screen: ScreenSize) -> [TerminalQuestion] {
        guard let time = nextRound, now >= time, !questions.first.isEmpty else { return [] }
        collected = TerminalAnswers(keepingFrom: answers)
        (isWanted, isAskedTwice, round) = (false, false, .awaiting(1))
        (askedAt, lastProgress, askedScreen) = (now, now, screen)
        let measures = !hasMeasured && screen.rows > TerminalQuestion.measuredRow + 1
        hasMeasured = hasMeasured || measures
        return questions.first.filter { $0 != .signWidth || measures }
    }

    /// Processes a reply from the terminal and returns the follow-up questions.
    package mutating func take(_ reply: TerminalReply, now: Duration) -> [TerminalQuestion] {
        guard askedAt != nil, let question = collected.take(reply) else { return [] }
        lastProgress = now
        if question == .attributes, case .awaiting(let count) = round {
            round = .awaiting(count - 1)
        }
        let isEnd = round == .awaiting(0)
        // If the answers to the first questions are late, the remaining questions are asked late
        // too.
        let isTold = isEnd || round == .late && [.version, .attributes].contains(question)
        let more = isTold && !isAskedTwice && !isLeaving ? questions.second(after: collected) : []
        if !more.isEmpty {
            isAskedTwice = true
            if case .awaiting(let count) = round { round = .awaiting(count + 1) }
        } else if isEnd {
            round = .none
        }
        if round == .none || round == .late { answers = collected }
        return more
    }

    /// Ends the wait if no answer has arrived for half a second, and uses the received answers.
    package mutating func expire(now: Duration) {
        guard case .awaiting = round, now >= lastProgress + Self.patience else { return }
        round = .late
        if !collected.replies.isEmpty { answers = collected }
    }

    // MARK: Waiting

    /// The time at which `due` or `expire` must be called, or nil if no call is needed.
    var deadline: Duration? {
        let patience: Duration? =
            if case .awaiting = round { lastProgress + Self.patience } else { nil }
        guard let next = questions.first.isEmpty ? nil : nextRound else { return patience }
        return patience.map { min($0, next) } ?? next
    }

    /// Returns whether answers of the current round may still arrive.
    func isAwaiting(now: Duration) -> Bool {
        guard round != .none, let askedAt else { return false }
        return now < askedAt + Self.latest
    }

    /// Whether the round has ended or was abandoned.
    package var isSettled: Bool {
        if case .awaiting = round { false } else { askedAt != nil || questions.first.isEmpty }
    }

    /// Returns the remaining time to wait for answers that the shell would otherwise receive as
    /// input, or nil if waiting is pointless.
    func farewell(now: Duration) -> Duration? {
        guard case .awaiting = round, let askedAt else { return nil }
        let end = min(lastProgress + Self.farewell, askedAt + Self.pause)
        return now < end ? end - now : nil
    }

    private var nextRound: Duration? {
        guard isWanted, hasPainted, !isLeaving else { return nil }
        guard let askedAt else { return .zero }
        // No round starts while answers are missing, because the answers of two rounds could not be
        // distinguished.
        if case .awaiting = round { return max(askedAt + Self.pause, lastProgress + Self.patience) }
        return askedAt + Self.pause
    }
}
