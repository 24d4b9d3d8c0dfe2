/// A request that concerns all loads.
package enum LoadingEffect: Equatable, Sendable {
    /// Cancel all loads.
    case cancelAll
    /// Pause loading: no transfer starts, and running transfers continue.
    case pause
    /// Resume loading: waiting transfers start again.
    case resume
    /// Let the current load of a slot continue under this number when the slot is bound or unbound
    /// next, and report its events as `Message.kept`.
    case keep(slot: Int, load: Int)
    /// Cancel all loads that continue without a cell.
    case cancelKept
}

/// The pause state, and the loads that no cell has requested.
///
/// They prefetch images, or reload images that are expected to change.
struct LoadControl: Equatable, Sendable {
    /// Whether the user has paused loading.
    ///
    /// While loading is paused, no transfer starts.
    private(set) var isPaused = false
    var prefetching = PrefetchPlanner()
    var expectedChanges = ExpectedChanges()

    /// Pauses or resumes loading.
    ///
    /// `resumeHint` names the key that resumes it.
    mutating func togglePause(resumeHint: String) -> Reaction {
        isPaused.toggle()
        return isPaused
            ? Reaction("loading paused" + resumeHint, effects: [.loading(.pause)])
            : Reaction("loading resumed", effects: [.loading(.resume)])
    }
}
