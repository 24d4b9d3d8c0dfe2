/// A message in the status bar.
///
/// It is shown for four seconds, or until the next message.
package struct Notice: Equatable, Sendable {
    /// The severity of a message.
    package enum Kind: Hashable, Sendable {
        /// An action was completed.
        case note
        /// The user should pay attention to a problem.
        case warning
        /// An action has failed.
        case failure
    }

    let text: String
    let kind: Kind
    /// The number of ticks for which the message is still shown.
    ///
    /// The initial 40 ticks take 4 seconds.
    private var ticksLeft = 40

    /// Creates a one-line message.
    package init(_ text: String, _ kind: Kind = .note) {
        self.text = text
        self.kind = kind
    }

    /// The message after another tick, or nil if its time is over.
    var afterTick: Notice? {
        var next = self
        next.ticksLeft -= 1
        return next.ticksLeft > 0 ? next : nil
    }
}
