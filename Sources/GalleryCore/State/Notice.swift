/// A message in the status bar that goes away by itself, without a clock: after some keys, or after
/// some ticks where ticks run.
struct Notice: Equatable, Sendable {
    let text: String
    private var keysLeft = 2
    private var ticksLeft = 30

    init(_ text: String) {
        self.text = text
    }

    /// The notice after a key; nil when it has been there long enough.
    var afterKey: Notice? {
        var next = self
        next.keysLeft -= 1
        return next.keysLeft > 0 ? next : nil
    }

    /// The notice after a tick.
    var afterTick: Notice? {
        var next = self
        next.ticksLeft -= 1
        return next.ticksLeft > 0 ? next : nil
    }
}
