package import Decoders
internal import Feeds
internal import ImageLoading

/// A request to prefetch images before they are visible.
package enum PrefetchEffect: Equatable, Sendable {
    /// Prefetch these items instead of the previous items, or no items if the request is nil.
    ///
    /// While prefetching is paused, only running loads continue.
    case load(PrefetchRequest?)
    /// Prefetch this item at the size of the image view.
    ///
    /// If `item` is nil, end the current prefetch of this kind.
    case open(item: Int?)
    /// Pause prefetching: no prefetch starts.
    case pause
    /// Resume prefetching.
    case resume
}

/// Decides when to prefetch images.
///
/// Images are prefetched when the user is not scrolling and all visible images are loaded. While a
/// key is held down, nothing is prefetched because each step would start loads that the next step
/// makes useless.
struct PrefetchPlanner: Equatable, Sendable {
    /// The state of the screen, and the conditions that prevent prefetching.
    struct Context {
        var visible: Range<Int>
        var itemCount: Int
        var targetSize: PixelSize
        /// Whether a visible image is still loading, or the user has paused loading.
        var isBusy: Bool
        /// Whether prefetching is forbidden because memory is low.
        ///
        /// A prefetched image would evict a visible image from memory.
        var isForbidden: Bool
    }

    /// The number of ticks without scrolling before prefetching may start.
    ///
    /// Two ticks take 100 to 200 ms, which is longer than the key repeat interval.
    private static let ticksToRest = 2

    private var window = ScrollWindow()
    private var ticksLeft = 0
    private var isStopped = false
    /// The current request, or nil if nothing is being prefetched.
    private var request: PrefetchRequest?
    private var isPaused = false

    /// Whether the planner is waiting for the user to stop scrolling.
    var needsTicks: Bool { ticksLeft > 0 }

    /// Handles a tick of the frame timer.
    mutating func tick() {
        guard ticksLeft > 0 else { return }
        ticksLeft -= 1
        if ticksLeft == 0 { window.rest() }
    }

    /// Discards the request, and makes no new request until the user scrolls again.
    ///
    /// Call this method after "cancel all", for example.
    mutating func stop() {
        isStopped = true
        request = nil
    }

    /// Ends prefetching and resets the planner.
    ///
    /// Call this method if no items are visible, for example.
    mutating func end() -> [Effect] {
        let effects = change(to: nil) + resume()
        self = PrefetchPlanner()
        return effects
    }

    /// Updates the request for the current screen, and returns the resulting effects.
    mutating func follow(_ context: Context) -> [Effect] {
        let moved = window.move(to: context.visible)
        if moved {
            ticksLeft = Self.ticksToRest
            isStopped = false
        }
        // The request is discarded, not paused. A new request is made when there is enough memory.
        guard !context.isForbidden else { return change(to: nil) + resume() }
        guard ticksLeft == 0, !context.isBusy else {
            // Visible items are loaded by their cells, and items that were scrolled past are no
            // longer needed.
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
        return [.prefetch(.pause)]
    }

    private mutating func resume() -> [Effect] {
        guard isPaused else { return [] }
        isPaused = false
        return [.prefetch(.resume)]
    }

    private mutating func change(to next: PrefetchRequest?) -> [Effect] {
        guard next != request else { return [] }
        request = next
        return [.prefetch(.load(next))]
    }
}

/// Items to load into the caches before they become visible, nearest first.
package struct PrefetchRequest: Hashable, Sendable {
    /// The items of the next screen in the direction of scrolling.
    ///
    /// They have the highest priority of all items that are not visible.
    package let soon: [Int]
    /// Further items, which are loaded when no other load is running.
    package let later: [Int]
    /// The size of the box into which the images are decoded.
    package let targetSize: PixelSize

    var isEmpty: Bool { soon.isEmpty && later.isEmpty }

    func map(_ item: (Int) -> Int) -> PrefetchRequest {
        PrefetchRequest(soon: soon.map(item), later: later.map(item), targetSize: targetSize)
    }
}
