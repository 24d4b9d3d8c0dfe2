/// The right to be the only one that fetches a URL, of all processes that share a cache.
///
/// Given back by `release`, by letting it go, and by the end of the process.
final class Lease: Sendable {
    /// Whether somebody else held it while this one waited, and so may have left the body on the
    /// disk: look again before fetching.
    let wasContended: Bool
    private let onRelease: @Sendable () -> Void

    init(wasContended: Bool, onRelease: @escaping @Sendable () -> Void) {
        self.wasContended = wasContended
        self.onRelease = onRelease
    }

    deinit {
        onRelease()
    }

    /// Gives it back; once is enough, more do nothing.
    func release() {
        onRelease()
    }
}
