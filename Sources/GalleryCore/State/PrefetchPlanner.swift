public import Decoders
internal import ImageLoading

/// Loading what is not visible yet.
extension GalleryState {
    /// Brings the loads ahead in line with the screen, after any message.
    mutating func followScroll() -> [Effect] {
        guard settings.loadsAhead, itemCount > 0, knowsScreen, fits else {
            return loadingAhead.end()
        }
        let scene = LoadingAhead.Scene(
            visible: visibleItems,
            itemCount: itemCount,
            targetSize: targetSize,
            isBusy: isPaused || pool.isWaiting || detail?.load.isPending == true,
            isForbidden: statistics.memoryStage?.allowsPrefetching == false
        )
        return loadingAhead.follow(scene)
    }
}

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
        /// Memory is short: what is loaded ahead would push out what is looked at.
        var isForbidden: Bool
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
        let effects = change(to: nil) + resume()
        self = LoadingAhead()
        return effects
    }

    /// Compares what should be loaded ahead with what is; returns what to change.
    mutating func follow(_ scene: Scene) -> [Effect] {
        let moved = window.move(to: scene.visible)
        if moved {
            ticksLeft = Self.ticksToRest
            isStopped = false
        }
        // Not a pause: what waits is given up, and wished for again when there is memory.
        guard !scene.isForbidden else { return change(to: nil) + resume() }
        guard ticksLeft == 0, !scene.isBusy else {
            // What came on the screen is loaded for it now, and what was passed for nobody.
            return pause() + (moved ? change(to: wish.flatMap { stillUseful($0, scene) }) : [])
        }
        return isStopped ? [] : change(to: wished(scene)) + resume()
    }

    private func wished(_ scene: Scene) -> AheadWish? {
        let ahead = window.ahead(of: scene.itemCount)
        let wish = AheadWish(soon: ahead.soon, later: ahead.later, targetSize: scene.targetSize)
        return wish.isEmpty ? nil : wish
    }

    private func stillUseful(_ wish: AheadWish, _ scene: Scene) -> AheadWish? {
        guard wish.targetSize == scene.targetSize else { return nil }
        let rest = AheadWish(
            soon: wish.soon.filter(window.isAhead),
            later: wish.later.filter(window.isAhead),
            targetSize: wish.targetSize
        )
        return rest.isEmpty ? nil : rest
    }

    private mutating func pause() -> [Effect] {
        guard wish != nil, !isPaused else { return [] }
        isPaused = true
        return [.pauseAhead]
    }

    private mutating func resume() -> [Effect] {
        guard isPaused else { return [] }
        isPaused = false
        return [.resumeAhead]
    }

    private mutating func change(to next: AheadWish?) -> [Effect] {
        guard next != wish else { return [] }
        wish = next
        return [.loadAhead(next)]
    }
}

/// Which items to bring into the caches before they come on the screen, nearest first.
public struct AheadWish: Hashable, Sendable {
    /// The next screen in the direction of scrolling: to be loaded before anything else that is
    /// not visible.
    public let soon: [Int]
    /// Further on; whenever nothing else is to do.
    public let later: [Int]
    /// The box to decode into.
    public let targetSize: PixelSize

    var isEmpty: Bool { soon.isEmpty && later.isEmpty }
}
