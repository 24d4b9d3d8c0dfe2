public import Decoders
internal import ImageLoading

/// When the gallery prefetches: at rest, after everything that is visible.
///
/// Not while a key is held: each of its steps would start loads that the next one makes useless.
struct PrefetchPlanner: Equatable, Sendable {
    /// What the screen needs and what speaks against prefetching.
    struct Context {
        var visible: Range<Int>
        var itemCount: Int
        var targetSize: PixelSize
        /// Something that is looked at still waits, or loading is paused.
        var isBusy: Bool
        /// Memory is short: a prefetched image would push out one that is looked at.
        var isForbidden: Bool
    }

    /// Ticks without a movement that count as a rest: 100 to 200 ms, which a held key's repeats
    /// don't leave.
    private static let ticksToRest = 2

    private var window = ScrollWindow()
    private var ticksLeft = 0
    private var isStopped = false
    /// What the program has been told to load; nil for nothing.
    private var request: PrefetchRequest?
    private var isPaused = false

    /// Whether the rest is still to be waited for.
    var needsTicks: Bool { ticksLeft > 0 }

    /// Counts a tick.
    mutating func tick() {
        guard ticksLeft > 0 else { return }
        ticksLeft -= 1
        if ticksLeft == 0 { window.rest() }
    }

    /// Forgets the request, as after "cancel all": nothing more until the next movement.
    mutating func stop() {
        isStopped = true
        request = nil
    }

    /// Starts over: there is nothing to look at.
    mutating func end() -> [Effect] {
        let effects = change(to: nil) + resume()
        self = PrefetchPlanner()
        return effects
    }

    /// Compares what should be prefetched with what is; returns what to change.
    mutating func follow(_ context: Context) -> [Effect] {
        let moved = window.move(to: context.visible)
        if moved {
            ticksLeft = Self.ticksToRest
            isStopped = false
        }
        // Not a pause: what waits is given up, and requested again when there is memory.
        guard !context.isForbidden else { return change(to: nil) + resume() }
        guard ticksLeft == 0, !context.isBusy else {
            // What came on the screen is loaded for it now, and what was passed for nobody.
            return pause() + (moved ? change(to: request.flatMap { stillUseful($0, context) }) : [])
        }
        return isStopped ? [] : change(to: wanted(context)) + resume()
    }

    private func wanted(_ context: Context) -> PrefetchRequest? {
        let upcoming = window.upcoming(of: context.itemCount)
        let request = PrefetchRequest(
            soon: upcoming.soon,
            later: upcoming.later,
            targetSize: context.targetSize
        )
        return request.isEmpty ? nil : request
    }

    private func stillUseful(_ request: PrefetchRequest, _ context: Context) -> PrefetchRequest? {
        guard request.targetSize == context.targetSize else { return nil }
        let rest = PrefetchRequest(
            soon: request.soon.filter(window.isUpcoming),
            later: request.later.filter(window.isUpcoming),
            targetSize: request.targetSize
        )
        return rest.isEmpty ? nil : rest
    }

    private mutating func pause() -> [Effect] {
        guard request != nil, !isPaused else { return [] }
        isPaused = true
        return [.pausePrefetch]
    }

    private mutating func resume() -> [Effect] {
        guard isPaused else { return [] }
        isPaused = false
        return [.resumePrefetch]
    }

    private mutating func change(to next: PrefetchRequest?) -> [Effect] {
        guard next != request else { return [] }
        request = next
        return [.prefetch(next)]
    }
}

/// Which items to bring into the caches before they come on the screen, nearest first.
public struct PrefetchRequest: Hashable, Sendable {
    /// The next screen in the direction of scrolling: to be loaded before anything else that is
    /// not visible.
    public let soon: [Int]
    /// Further on; whenever nothing else is to do.
    public let later: [Int]
    /// The box to decode into.
    public let targetSize: PixelSize

    var isEmpty: Bool { soon.isEmpty && later.isEmpty }

    fileprivate func map(_ item: (Int) -> Int) -> PrefetchRequest {
        PrefetchRequest(soon: soon.map(item), later: later.map(item), targetSize: targetSize)
    }
}

/// Prefetching: what is not visible yet.
extension GalleryState {
    /// Brings prefetching in line with the screen, after any message.
    mutating func followScroll() -> [Effect] {
        guard settings.prefetches, itemCount > 0, knowsScreen, fits else {
            return prefetchPlanner.end()
        }
        let context = PrefetchPlanner.Context(
            visible: visiblePositions,
            itemCount: itemCount,
            targetSize: targetSize,
            isBusy: isPaused || pool.isWaiting || detail?.load.isPending == true,
            isForbidden: statistics.memoryStage?.allowsPrefetching == false
        )
        // The planner counts positions, the program items.
        return prefetchPlanner.follow(context).map { effect in
            guard case .prefetch(let request?) = effect else { return effect }
            return .prefetch(request.map { order[$0] })
        }
    }
}
