/// Limits the number of image bytes in flight to the terminal.
///
/// It also adapts the image quality to the connection. This type has no side effects. After sending
/// images, the program requests a status report from the terminal. The reply shows that the
/// terminal has processed all bytes sent before the request, and its delay shows the speed of the
/// terminal and the connection. If the terminal doesn't reply, the next bytes are sent after a
/// timeout. Through tmux, the request is passed on to the terminal, too, and a missing reply shows
/// that tmux has discarded the images, so they are sent again.
struct PictureFlow {
    /// The maximum number of bytes sent without a reply while the speed is unknown.
    private static let firstWindow = 256 << 10
    private static let windows = (16 << 10)...(1 << 20)
    /// The speed, in bytes per second, below which the image quality is reduced.
    private static let slowRate = 1_500_000.0
    /// The maximum time to wait for a reply.
    package static let patience = Duration.seconds(1)

    /// The request for a status report; the reply is `ESC [ 0 n`.
    package static let query: [UInt8] = Array("\u{1B}[5n".utf8)

    /// Whether images pass through tmux.
    ///
    /// If tmux's client does not accept output immediately, tmux discards the output. tmux buffers
    /// about eight bytes for each cell of the screen. Therefore, only one query is unanswered at a
    /// time.
    var isPassedOn = false
    private let isRemote: Bool
    private var isSlow = false
    private var window = firstWindow
    private var unanswered: [Burst] = []
    /// The number of consecutive bursts that tmux has discarded.
    private var lossCount = 0
    /// The time before which no image is sent, because tmux keeps discarding images.
    private var heldUntil: ContinuousClock.Instant?

    /// The image bytes that were sent before a query.
    private struct Burst {
        let bytes: Int
        /// The fingerprints of the images.
        let pictures: [UInt64]
        let sent: ContinuousClock.Instant
    }

    /// Creates a flow for a new connection.
    ///
    /// `isRemote` is true if the environment indicates that the terminal is accessed over a
    /// network.
    init(isRemote: Bool) {
        self.isRemote = isRemote
    }

    /// Returns the limits for an image with `pixelCount` pixels.
    package func budget(forPixels pixelCount: Int) -> GraphicsBudget {
        let pixelCount = min(pixelCount, pixelLimit)
        let isDear = isRemote || isSlow || isPassedOn
        var budget = isDear ? GraphicsBudget.remote : .local
        if isDear { budget.colorLimit = 64 }
        return budget.scaled(toPixels: pixelCount)
    }

    /// Returns the limits for resending an image in better quality while the line is idle, or nil
    /// if the image is sent in the best quality from the start.
    ///
    /// Images sent through tmux first use few bytes. The limit is at most the size in bytes of the
    /// largest image in its first quality, which tmux is known to pass on.
    package func finalBudget(forPixels pixelCount: Int) -> GraphicsBudget? {
        guard isPassedOn, !isRemote, !isSlow else { return nil }
        var budget = GraphicsBudget.local.scaled(toPixels: pixelCount)
        budget.byteLimit = min(budget.byteLimit, Self.mostPassedOnBytes)
        return budget.byteLimit > self.budget(forPixels: pixelCount).byteLimit ? budget : nil
    }

    /// The maximum number of pixels of an image that is sent; a larger image is reduced before.
    package var pixelLimit: Int { isPassedOn ? Self.passedOnPixelLimit : .max }

    /// The maximum number of pixels of an image that is sent through tmux, which may discard parts
    /// of larger images.
    static let passedOnPixelLimit = 200_000
    private static let mostPassedOnBytes =
        GraphicsBudget.remote.scaled(toPixels: passedOnPixelLimit).byteLimit

    /// The number of bytes that may be sent now.
    package var room: Room {
        let onTheWay = unanswered.reduce(0) { $0 + $1.bytes }
        guard isPassedOn else {
            return Room(bytes: max(0, window - onTheWay), isLineEmpty: onTheWay == 0)
        }
        let isFree = unanswered.isEmpty && heldUntil == nil
        return Room(bytes: isFree ? Self.windows.lowerBound : 0, isLineEmpty: isFree)
    }

    /// Whether no image is sent for a few seconds, because tmux keeps discarding them.
    ///
    /// tmux does so while the window of the program is hidden.
    var isHeld: Bool { heldUntil != nil }

    /// The number of image bytes that may be sent.
    package struct Room {
        package fileprivate(set) var bytes: Int
        /// Whether nothing is in flight.
        package fileprivate(set) var isLineEmpty: Bool

        /// Reserves `count` bytes, and returns false if fewer bytes are available.
        ///
        /// If nothing is in flight, a single image of any size may be sent.
        package mutating func take(_ count: Int) -> Bool {
            guard isLineEmpty || count <= bytes else { return false }
            bytes = max(0, bytes - count)
            isLineEmpty = false
            return true
        }
    }

    /// Records that `count` image bytes with these images were sent, and returns the status request
    /// to send after them, or nil if `count` is 0.
    mutating func fence(
        after count: Int,
        of pictures: [UInt64] = [],
        now: ContinuousClock.Instant
    ) -> [UInt8]? {
        let patience = patience
        unanswered.removeAll { now - $0.sent > patience }
        guard count > 0 else { return nil }
        unanswered.append(Burst(bytes: count, pictures: pictures, sent: now))
        return Self.query
    }

    /// Returns the fingerprints of the images that tmux has discarded, because there was no reply.
    ///
    /// Call this method before each frame. After several losses, images are held for a while.
    mutating func takeLost(now: ContinuousClock.Instant) -> [UInt64] {
        if let time = heldUntil, now >= time { heldUntil = nil }
        let isLate = unanswered.contains { now - $0.sent > patience }
        guard isPassedOn, isLate else { return [] }
        let lost = unanswered.flatMap(\.pictures)
        unanswered = []
        guard !lost.isEmpty else { return [] }
        lossCount += 1
        if lossCount >= Self.mostLosses { heldUntil = now + Self.holdTime }
        return lost
    }

    /// The number of losses after which images are held.
    private static let mostLosses = 3
    private static let holdTime = Duration.seconds(5)

    /// The maximum time to wait for a reply.
    ///
    /// Through tmux, it grows with each loss, because a slow line may be the reason.
    private var patience: Duration {
        isPassedOn ? Self.patience * (2 << min(lossCount, Self.mostLosses)) : Self.patience
    }

    /// Returns whether a reply may still arrive.
    func isAwaiting(now: ContinuousClock.Instant) -> Bool {
        unanswered.contains { now - $0.sent <= patience }
    }

    /// Handles the reply to the oldest query.
    package mutating func take(now: ContinuousClock.Instant) {
        guard !unanswered.isEmpty else { return }
        let first = unanswered.removeFirst()
        (lossCount, heldUntil) = (0, nil)
        // The few bytes that tmux passes on at a time show the round trip, not the speed.
        guard !isPassedOn else { return }
        let time = max(0.000_1, (now - first.sent) / .seconds(1))
        // If few bytes were sent, the round trip accounts for almost all of this time.
        guard first.bytes >= 4096 else { return }
        let rate = Double(first.bytes) / time
        isSlow = rate < (isSlow ? 2 : 1) * Self.slowRate
        window = min(max(Int(rate * 0.1), Self.windows.lowerBound), Self.windows.upperBound)
    }
}
