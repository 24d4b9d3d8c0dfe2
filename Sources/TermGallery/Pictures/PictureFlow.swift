import TerminalGraphics

/// How many bytes of pictures the terminal is given at a time, and how dear they are.
///
/// Pure. After pictures a status report is asked for; its answer says that everything before it was
/// taken, and so how fast the terminal and the line to it are. A terminal that doesn't answer is
/// given more after a while.
struct PictureFlow {
    /// Bytes on their way when nothing is known of the line.
    private static let firstWindow = 256 << 10
    private static let windows = (16 << 10)...(1 << 20)
    /// Below so many bytes a second pictures are made small.
    private static let slowRate = 1_500_000.0
    /// The longest time that an answer is waited for.
    static let patience = Duration.seconds(1)

    /// What one asks for the status with; the answer is `ESC [ 0 n`.
    static let question: [UInt8] = Array("\u{1B}[5n".utf8)

    /// Whether tmux hands the pictures on: it throws away what its client doesn't take at once, some
    /// eight bytes for each cell of the screen.
    var isPassedOn = false
    private let isRemote: Bool
    private var isSlow = false
    private var window = firstWindow
    private var unanswered: [(bytes: Int, sent: ContinuousClock.Instant)] = []

    /// `isRemote` is what the environment says.
    init(isRemote: Bool) {
        self.isRemote = isRemote
    }

    /// What a picture of so many pixels may cost.
    func budget(forPixels pixelCount: Int) -> GraphicsBudget {
        let isDear = isRemote || isSlow || isPassedOn
        var budget = isDear ? GraphicsBudget.remote : .local
        if isDear { budget.colorLimit = 64 }
        return budget.scaled(toPixels: pixelCount)
    }

    /// The bytes that may be sent now.
    var room: Room {
        let onTheWay = unanswered.reduce(0) { $0 + $1.bytes }
        let window = isPassedOn ? Self.windows.lowerBound : window
        return Room(bytes: max(0, window - onTheWay), isLineEmpty: onTheWay == 0)
    }

    /// Room for bytes.
    struct Room {
        fileprivate(set) var bytes: Int
        fileprivate(set) var isLineEmpty: Bool

        /// Takes a part of it; false if there is too little.
        ///
        /// Into an empty line anything goes.
        mutating func take(_ count: Int) -> Bool {
            guard isLineEmpty || count <= bytes else { return false }
            bytes = max(0, bytes - count)
            isLineEmpty = false
            return true
        }
    }

    /// What to write after `count` bytes of pictures.
    mutating func fence(after count: Int, now: ContinuousClock.Instant) -> [UInt8]? {
        unanswered.removeAll { now - $0.sent > Self.patience }
        guard count > 0 else { return nil }
        unanswered.append((count, now))
        return Self.question
    }

    /// Whether an answer may still come.
    func isAwaiting(now: ContinuousClock.Instant) -> Bool {
        unanswered.contains { now - $0.sent <= Self.patience }
    }

    /// The terminal has answered the oldest question.
    mutating func take(now: ContinuousClock.Instant) {
        guard !unanswered.isEmpty else { return }
        let first = unanswered.removeFirst()
        let time = max(0.000_1, (now - first.sent) / .seconds(1))
        // Of few bytes the way there and back is all of the time.
        guard first.bytes >= 4096 else { return }
        let rate = Double(first.bytes) / time
        isSlow = rate < (isSlow ? 2 : 1) * Self.slowRate
        window = min(max(Int(rate * 0.1), Self.windows.lowerBound), Self.windows.upperBound)
    }
}
