internal import Decoders

/// When the gallery loads what is not visible yet: at rest, after everything that is visible.
///
/// Not while a key is held: each of its steps would start loads that the next one makes useless.
struct LoadingAhead: Equatable, Sendable {
    /// What the screen needs and what stands against loading ahead.
    struct Scene {
        var visible: Range<Int>
        var itemCount: Int
        var targetSize: PixelSize
        /// Something that is looked at still waits, or loading is paused.
        var isBusy: Bool
    }

    /// Ticks without a movement that count as a rest: 100 to 200 ms, which a held key's repeats
    /// don't leave.
    private static let ticksToRest = 2

    private var window = ScrollWindow()
    private var ticksLeft = 0
    private var isStopped = false
    /// What the program has been told to load; nil for nothing.
    private var wish: AheadWish?
    private var isPaused = false

    /// Whether the rest is still to be waited for.
    var needsTicks: Bool { ticksLeft > 0 }

    /// Counts a tick.
    mutating func tick() {
        guard ticksLeft > 0 else { return }
        ticksLeft -= 1
        if ticksLeft == 0 { window.rest() }
    }

    /// Forgets what was wished for, as after "cancel all": nothing more until the next movement.
    mutating func stop() {
        isStopped = true
        wish = nil
    }

    /// Begins anew: there is nothing to look at.
    mutating func end() -> [Effect] {
        let effects = change(to: nil)
        self = LoadingAhead()
        return effects
    }

    /// Compares what should be loaded ahead with what is; returns what to change.
    mutating func follow(_ scene: Scene) -> [Effect] {
        let move = window.move(to: scene.visible)
        if move != .none {
            ticksLeft = Self.ticksToRest
            isStopped = false
        }
        let isUseless = move == .away || wish?.targetSize != scene.targetSize
        let effects = isUseless ? change(to: nil) : []
        return effects + (ticksLeft > 0 || scene.isBusy ? pause() : goOn(scene))
    }

    private mutating func pause() -> [Effect] {
        guard wish != nil, !isPaused else { return [] }
        isPaused = true
        return [.pauseAhead]
    }

    private mutating func goOn(_ scene: Scene) -> [Effect] {
        guard !isStopped else { return [] }
        let ahead = window.ahead(of: scene.itemCount)
        let next = AheadWish(soon: ahead.soon, later: ahead.later, targetSize: scene.targetSize)
        guard next == wish, isPaused else { return change(to: ahead.isEmpty ? nil : next) }
        isPaused = false
        return [.resumeAhead]
    }

    private mutating func change(to next: AheadWish?) -> [Effect] {
        guard next != wish else { return [] }
        wish = next
        isPaused = false
        return [.loadAhead(next)]
    }
}
