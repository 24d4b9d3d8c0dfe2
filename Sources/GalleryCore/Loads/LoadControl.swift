/// A request that affects all loads, or loads whose cells have left the screen.
package enum LoadingEffect: Equatable, Sendable {
    /// Cancel all loads.
    case cancelAll
    /// Pause loading: no transfer starts, and running transfers continue.
    case pause
    /// Resume loading: waiting transfers start again.
    case resume
    /// Let the current load of a slot continue after the slot is bound to another item or unbound.
    ///
    /// The load's events are reported as `Message.kept` with the number `load`.
    case keep(slot: Int, load: Int)
    /// Cancel all loads that continue although their cells have left the screen.
    case cancelKept
}

/// The loading state that does not depend on cells: whether loading is paused, and the loads that
/// no cell requested.
///
/// These loads are prefetches and reloads of images that are expected to change.
struct LoadControl: Equatable, Sendable {
    /// Whether the user has paused loading.
    ///
    /// While loading is paused, no transfer starts.
    private(set) var isPaused = false
    var prefetching = PrefetchPlanner()
    var expectedChanges = ExpectedChanges()

    /// Pauses or resumes loading.
    ///
    /// `resumeHint` names the key that resumes loading.
    mutating func togglePause(resumeHint: String) -> Reaction {
        isPaused.toggle()
        return isPaused
            ? Reaction("loading paused" + resumeHint, effects: [.loading(.pause)])
            : Reaction("loading resumed", effects: [.loading(.resume)])
    }
}
