/// Decides when a preview may be made of a body that is arriving: no more than ten times a second,
/// which is more than an eye needs.
struct PreviewPacing: Sendable {
    /// The least time between two.
    static let interval = Duration.milliseconds(100)

    private var lastTime: Duration?

    /// Whether it is time for another one.
    func isDue(at now: Duration) -> Bool {
        lastTime.map { now - $0 >= Self.interval } ?? true
    }

    mutating func note(at now: Duration) {
        lastTime = now
    }
}
