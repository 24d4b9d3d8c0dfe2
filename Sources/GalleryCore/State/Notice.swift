/// A message in the status bar, which disappears after four seconds or is replaced by the next
/// message.
package struct Notice: Equatable, Sendable {
    /// The severity of a message.
    package enum Kind: Hashable, Sendable {
        /// An action was completed.
        case note
        /// Something requires attention.
        case warning
        /// Something failed.
        case failure
    }

    let text: String
    let kind: Kind
    /// The number of ticks for which the message is still shown: initially 40, which take 4
    /// seconds.
    private var ticksLeft = 40

    /// Creates a one-line message.
    package init(_ text: String, _ kind: Kind = .note) {
        self.text = text
        self.kind = kind
    }

    /// The message after a tick, or nil if its time is over.
    var afterTick: Notice? {
        var next = self
        next.ticksLeft -= 1
        return next.ticksLeft > 0 ? next : nil
    }
}
