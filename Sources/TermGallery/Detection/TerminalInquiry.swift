import GalleryCore

/// When the terminal is asked what, and which of its answers count.
///
/// Pure. A round begins after a frame was painted, so that nobody waits for it: when the screen was
/// taken, and when it changed its size, for then a tmux session may be shown by another terminal. A
/// round ends with the answer to its last question, which every terminal has.
struct TerminalInquiry: Sendable {
    /// What counts: the last round's answers, and those that came late.
    private(set) var answers = TerminalAnswers()
    /// The screen's size when it was asked last.
    private(set) var askedScreen: ScreenSize?
    /// The answers of the present round.
    private(set) var collected = TerminalAnswers()

    private let questions: TerminalQuestions
    private var isWanted = true
    private var hasPainted = false
    private var round = Round.none
    private var askedAt: Duration?
    private var lastProgress = Duration.zero
    private var isAskedTwice = false
    /// Signs are measured once: later there may be pictures where they are written.
    private var hasMeasured = false
    private var isLeaving = false

    private enum Round: Equatable {
        case none
        /// So many last answers are missing.
        case awaiting(Int)
        /// Nothing came for a while; what comes is taken all the same.
        case late
    }

    /// A window that is dragged changes its size many times a second.
    private static let pause = Duration.seconds(1)
    /// Somebody who takes a session along to another terminal needs longer.
    private static let tmuxPause = Duration.seconds(10)
    /// After so long without an answer, what is there counts.
    private static let patience = Duration.milliseconds(500)
    /// For so long an Esc may be the start of an answer.
    private static let latest = Duration.seconds(10)
    /// For so long it is worth waiting for answers before the shell gets the terminal back.
    private static let farewell = Duration.milliseconds(300)

    init(_ questions: TerminalQuestions) {
        self.questions = questions
    }

    // MARK: What happens

    /// A frame was painted: from now on it may be asked.
    mutating func painted() {
        hasPainted = true
    }

    /// The screen has another size, or was taken again: it may be another terminal.
    mutating func changed() {
        isWanted = true
    }

    /// The person typed: since the last round a tmux session may have come to another terminal of
    /// the same size, of which nothing else tells.
    mutating func typed(now: Duration) {
        guard let askedAt, now >= askedAt + Self.tmuxPause, answers.name?.is("tmux") == true else {
            return
        }
        isWanted = true
    }

    /// The screen is about to be given back: nothing more is asked.
    mutating func leaving() {
        isLeaving = true
    }

    /// The screen was given back; answers that are missing will not come.
    mutating func left() {
        (hasPainted, isWanted, isLeaving, round) = (false, true, false, .none)
    }

    /// The questions to write, if it is time to.
    mutating func due(now: Duration, screen: ScreenSize) -> [TerminalQuestion] {
        guard let time = nextRound, now >= time, !questions.first.isEmpty else { return [] }
        collected = TerminalAnswers(keepingFrom: answers)
        (isWanted, isAskedTwice, round) = (false, false, .awaiting(1))
        (askedAt, lastProgress, askedScreen) = (now, now, screen)
        let measures = !hasMeasured && screen.rows > TerminalQuestion.measuredRow + 1
        hasMeasured = hasMeasured || measures
        return questions.first.filter { $0 != .signWidth || measures }
    }

    /// Takes what the terminal sent; the questions that follow from it.
    mutating func take(_ reply: TerminalReply, now: Duration) -> [TerminalQuestion] {
        guard askedAt != nil, let question = collected.take(reply) else { return [] }
        lastProgress = now
        if question == .attributes, case .awaiting(let count) = round {
            round = .awaiting(count - 1)
        }
        let isEnd = round == .awaiting(0)
        // What comes late asks the rest late.
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

    /// Lets what has been waited for long enough count.
    mutating func expire(now: Duration) {
        guard case .awaiting = round, now >= lastProgress + Self.patience else { return }
        round = .late
        if !collected.replies.isEmpty { answers = collected }
    }

    // MARK: What is awaited

    /// When `due` or `expire` have something to do; nil for never.
    var deadline: Duration? {
        let patience: Duration? =
            if case .awaiting = round { lastProgress + Self.patience } else { nil }
        guard let next = questions.first.isEmpty ? nil : nextRound else { return patience }
        return patience.map { min($0, next) } ?? next
    }

    /// Answers of the present round are missing, and may still be on their way.
    func isAwaiting(now: Duration) -> Bool {
        guard round != .none, let askedAt else { return false }
        return now < askedAt + Self.latest
    }

    /// The round is over, or given up.
    var isSettled: Bool {
        if case .awaiting = round { false } else { askedAt != nil || questions.first.isEmpty }
    }

    /// How long it is worth waiting for answers that the shell would take for typing.
    func farewell(now: Duration) -> Duration? {
        guard case .awaiting = round, let askedAt else { return nil }
        let end = min(lastProgress + Self.farewell, askedAt + Self.pause)
        return now < end ? end - now : nil
    }

    private var nextRound: Duration? {
        guard isWanted, hasPainted, !isLeaving else { return nil }
        guard let askedAt else { return .zero }
        // Not while answers are missing: they could not be told apart.
        if case .awaiting = round { return max(askedAt + Self.pause, lastProgress + Self.patience) }
        return askedAt + Self.pause
    }
}
